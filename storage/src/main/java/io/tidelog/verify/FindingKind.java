package io.tidelog.verify;

import java.util.Locale;

/** All that a check can find. Each has a row in {@code docs/errors.md}. */
public enum FindingKind {
  // Logs
  BATCH_DAMAGED(
      Severity.DAMAGE,
      "bytes of a log are not sound batches; the records in them cannot be read",
      "restore the file, or let tidelog repair bracket the damage"),
  UNSYNCED_DAMAGE(
      Severity.WARNING,
      "a crash took batches that were not on disk yet, and sound ones follow them",
      "nothing: the next start keeps what is sound"),
  UNSOUND_TAIL(
      Severity.WARNING,
      "the log ends with bytes that are not a sound batch, and nobody knows how it was stopped",
      "nothing if it was a crash: the next start cuts them"),
  TORN_TAIL(
      Severity.NOTE,
      "a crash cut the append that was under way",
      "nothing: the next start cuts it"),
  OLD_FORMAT(
      Severity.NOTE,
      "batches in format version 0 or 1, from before Kafka 0.11: only their CRC is checked",
      "to serve them here, copy the topic into a new one with Kafka"),
  LOG_TOO_LARGE(
      Severity.DAMAGE,
      "a log has more bytes than positions can count",
      "restore the file; no broker writes one so large"),
  BASE_OFFSET_WRONG(
      Severity.DAMAGE,
      "a batch names an offset that does not fit between the batches beside it",
      "tidelog repair, or restore the file"),
  OFFSETS_OVERLAP(
      Severity.DAMAGE,
      "offsets stand in the log twice, or run backwards",
      "see which copy is right with tidelog dump; move the other away"),
  OFFSETS_MISSING(
      Severity.DAMAGE,
      "offsets are missing that no compaction took: their records are gone",
      "restore the files if you have them"),
  OFFSETS_GIVEN_UP(
      Severity.NOTE,
      "offsets are missing, and a repair has noted that their records are gone",
      "nothing"),
  OFFSET_GAP(
      Severity.NOTE,
      "offsets are missing, as compaction leaves it; whether this log was compacted is not known",
      "check the whole data directory to know"),
  LOG_EXCHANGED(
      Severity.DAMAGE,
      "a log holds the batches of another segment: its file has the wrong name",
      "stop, give the file the name of the offset that its first batch has, start"),
  LOG_MISSING(
      Severity.DAMAGE, "the indexes of a segment are here, its log is not", "restore the file"),
  EPOCH_FALLS(
      Severity.DAMAGE,
      "a batch has a leader epoch that does not fit between the batches beside it",
      "tidelog repair, or restore the file"),
  HEADER_RULE(
      Severity.WARNING,
      "the header of a batch, whose CRC is right, breaks a rule of the format",
      "see the batch with tidelog dump; whoever wrote it did not keep the format"),
  HEADER_ODD(
      Severity.NOTE, "a header has a value that Kafka takes but no client should send", "nothing"),
  RECORDS_MALFORMED(
      Severity.DAMAGE,
      "the records of a batch, whose CRC is right, cannot be read",
      "see the batch with tidelog dump; whoever wrote it did not keep the format"),
  RECORD_RULE(
      Severity.WARNING,
      "a record's offset or timestamp does not fit its batch",
      "see the batch with tidelog dump; whoever wrote it did not keep the format"),
  METADATA_SNAPSHOT_DAMAGED(
      Severity.DAMAGE,
      "a snapshot of the metadata is not whole: nobody can tell which topics there are",
      "restore the file; do not start a broker on the directory without it"),
  RECORD_CONTENTS(
      Severity.WARNING,
      "a record of an internal topic is not in that topic's format",
      "start the version that wrote it, or restore the file"),
  NULL_KEY(
      Severity.NOTE,
      "records without a key in a compacted topic; compaction removes them",
      "nothing"),

  UNREADABLE(
      Severity.DAMAGE,
      "a file cannot be read; what it holds is not checked",
      "run this as the user that owns it, or look after the disk"),

  // Indexes
  INDEX_MISSING(
      Severity.WARNING,
      "an index file is missing",
      "nothing: Tidelog makes it again when it is needed, or run tidelog repair"),
  INDEX_EMPTY(
      Severity.WARNING,
      "an index has no entry where it must have some",
      "nothing for Tidelog; before Kafka is started run tidelog repair"),
  INDEX_WRONG(
      Severity.DAMAGE,
      "an entry of an offset index does not agree with the log; Kafka may lose records over it",
      "nothing for Tidelog; before Kafka is started run tidelog repair"),
  INDEX_VARIANT(
      Severity.NOTE,
      "an entry names a later batch, or a record inside of one, as Kafka before 4.0 wrote it",
      "nothing"),
  INDEX_SPARSE(
      Severity.NOTE,
      "an index has fewer entries than its setting asks for, as after restarts: reads scan more",
      "nothing"),
  INDEX_STALE(
      Severity.NOTE,
      "a crash left an index behind its log",
      "nothing: the next start makes it again"),
  TIME_INDEX_WRONG(
      Severity.DAMAGE,
      "an entry of a time index does not agree with the log; searches by time miss records",
      "nothing for Tidelog; before Kafka is started run tidelog repair"),
  TIME_INDEX_INCOMPLETE(
      Severity.WARNING,
      "a time index lacks the largest timestamp that it must have; Kafka's retention goes by it",
      "nothing for Tidelog; before Kafka is started run tidelog repair"),
  TXN_INDEX_WRONG(
      Severity.DAMAGE,
      "aborted transactions are not listed as the log has them: readers may see aborted records",
      "nothing for a Tidelog that checks it; else run tidelog repair"),

  // What a partition remembers
  SNAPSHOT_DAMAGED(
      Severity.WARNING,
      "a producer snapshot is damaged",
      "nothing: the next start removes it and reads the log again"),
  SNAPSHOT_TORN(
      Severity.NOTE,
      "a crash left a producer snapshot unfinished",
      "nothing: the next start removes it and reads the log again"),
  SNAPSHOT_WRONG(
      Severity.WARNING,
      "a producer snapshot disagrees with the log: a batch sent twice may be stored twice",
      "run tidelog repair"),
  SNAPSHOT_MISSING(
      Severity.WARNING,
      "after a clean stop there is no snapshot of the producers at all",
      "run tidelog repair; Kafka would store a batch twice that is sent again"),
  SNAPSHOT_AHEAD(
      Severity.NOTE,
      "a producer snapshot stands beyond the log's end",
      "nothing: the next start removes it"),
  EPOCHS_UNREADABLE(
      Severity.WARNING,
      "leader-epoch-checkpoint cannot be read",
      "nothing for Tidelog, which finds the epochs again; for Kafka run tidelog repair"),
  EPOCHS_WRONG(
      Severity.WARNING, "leader-epoch-checkpoint disagrees with the batches", "run tidelog repair"),
  EPOCHS_STALE(
      Severity.NOTE,
      "a crash left leader-epoch-checkpoint behind the log",
      "nothing: the next start finds the epochs in the batches"),
  TOPIC_ID_UNREADABLE(
      Severity.DAMAGE,
      "partition.metadata cannot be read: nobody can tell which topic the folder belongs to",
      "restore the file; the topic's other partitions have the same one"),
  TOPIC_ID_MISSING(
      Severity.WARNING,
      "a partition's folder has no partition.metadata",
      "restore the file; the topic's other partitions have the same one"),
  TOPIC_ID_WRONG(
      Severity.DAMAGE,
      "partition.metadata names another topic than the metadata or the topic's other partitions do;"
          + " Kafka would put the folder aside",
      "restore the file; the topic's other partitions have the same one"),
  TOPIC_UNKNOWN(
      Severity.WARNING,
      "the metadata know no such partition; Kafka would put the folder aside",
      "nothing if the topic was deleted; else restore the metadata log"),

  // Data directories
  IN_USE(
      Severity.NOTE,
      "a broker uses the directory: what it writes meanwhile is not judged",
      "nothing"),
  MARKER_ODD(
      Severity.NOTE,
      ".kafka_cleanshutdown has contents that cannot be read; that it exists is what counts",
      "nothing"),
  IDENTITY_UNREADABLE(
      Severity.DAMAGE,
      "meta.properties cannot be read: nobody can tell whose directory this is",
      "restore the file"),
  IDENTITY_MISSING(
      Severity.DAMAGE,
      "there are partitions but no meta.properties, which says whose they are",
      "restore the file"),
  IDENTITY_WRONG(
      Severity.DAMAGE,
      "meta.properties of directories that were named together disagree",
      "restore the file, or check the directories of each broker by themselves"),
  RECOVERY_POINTS_UNREADABLE(
      Severity.WARNING,
      "recovery-point-offset-checkpoint cannot be read",
      "nothing: all is read again at the next start"),
  STARTS_UNREADABLE(
      Severity.DAMAGE,
      "log-start-offset-checkpoint cannot be read: deleted records may come back",
      "restore the file"),
  CHECKPOINT_UNREADABLE(
      Severity.WARNING, "a checkpoint cannot be read", "move it away: its offsets are found again"),
  CHECKPOINT_STRAY(
      Severity.NOTE,
      "a checkpoint has a line for a partition that is not here",
      "nothing if the partition was deleted or moved"),
  CHECKPOINT_MISNAMED(
      Severity.WARNING,
      "after a clean stop a checkpoint names a partition that is not here",
      "see whether the name is damaged, or the partition's folder gone"),
  CHECKPOINT_LACKS(Severity.NOTE, "a checkpoint has no line for a partition", "nothing"),
  END_MISSING(
      Severity.DAMAGE,
      "the log ends before its recovery point: records that were on disk are gone",
      "stop, restore the partition's files, start"),
  RECOVERY_POINT_BEHIND(
      Severity.NOTE,
      "a recovery point lies before the end at which a clean stop left the log",
      "nothing: more is read again at the next unclean start"),
  START_CONTRADICTED(
      Severity.DAMAGE,
      "the log start offset is not where leader-epoch-checkpoint begins: the broker does not serve"
          + " the partition",
      "restore the damaged one, or set both to the offset up to which records were deleted"),
  START_PAST_END(
      Severity.DAMAGE,
      "the log start offset lies past the log's end: a start would remove all records",
      "restore log-start-offset-checkpoint, or take the line out"),
  OFFSET_PAST_END(
      Severity.WARNING,
      "a checkpoint has an offset past the log's end",
      "nothing: the next start corrects it"),
  OFFSET_PAST_END_AFTER_CRASH(
      Severity.NOTE,
      "a checkpoint has an offset past the log's end, after a crash",
      "nothing: the next start corrects it"),
  HIGH_WATERMARK_BEHIND(
      Severity.NOTE,
      "a saved high watermark lies before the end at which a clean stop left the log",
      "nothing: it moves on once the partition is led"),
  PARTITION_TWICE(
      Severity.DAMAGE, "two directories hold the same partition", "move one of the folders away"),

  // Leftovers
  LEFTOVER(
      Severity.NOTE,
      "what an interrupted or delayed step left",
      "nothing: it is finished or removed at the next start"),
  FOLDER_ASIDE(
      Severity.NOTE,
      "a folder that was put aside: deleted, moving, or of a topic that nobody knew",
      "nothing; a -stray folder may be removed once you know what it is"),
  CUT_COPY(
      Severity.NOTE,
      "a copy of what a recovery cut or a repair set aside",
      "remove it when nobody needs it any more"),
  NOT_CHECKED(
      Severity.NOTE,
      "what is in it is not looked into",
      "nothing; Kafka's DumpLogSegments shows what is in it"),
  NAME_UNKNOWN(
      Severity.NOTE, "a file or folder that is none of a broker's", "nothing; no broker reads it");

  private final Severity severity;
  private final String meaning;
  private final String advice;

  FindingKind(Severity severity, String meaning, String advice) {
    this.severity = severity;
    this.meaning = meaning;
    this.advice = advice;
  }

  public Severity severity() {
    return severity;
  }

  /** What it means, as a sentence without its full stop. */
  public String meaning() {
    return meaning;
  }

  /** What to do, as a sentence without its full stop. */
  public String advice() {
    return advice;
  }

  /** Its name for people and programs, such as {@code torn-tail}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

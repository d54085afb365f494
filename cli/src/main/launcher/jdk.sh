# shellcheck shell=bash disable=SC2034 # what it sets is for those that source it
# Finds Java, for ./tidelog and ./dev, which source this file. Starts no Java to do so: the file
# "release" of a Java home says what it is.

oldest_java=17

# Sets java_found (its number) and build_found of a Java home; fails if it is none.
read_release() {
  java_found='' build_found=''
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  local line
  while IFS= read -r line; do
    case $line in
      JAVA_VERSION=*) java_found=${line#*=} ;;
      JAVA_RUNTIME_VERSION=*) build_found=${line#*=} ;;
    esac
  done <"$1/release"
  java_found=${java_found//[^0-9.]/}
  java_found=${java_found%%.*}
  build_found=${build_found:-$java_found}
  [ -n "$java_found" ]
}

# Takes a Java home if it is newer than the one at hand. A JDK, which can build, is better than any
# that only runs.
consider() {
  read_release "$1" && [ "$java_found" -ge "$oldest_java" ] || return 0
  local is_jdk=''
  [ -x "$1/bin/javac" ] && is_jdk=yes
  if [ -n "$jdk" ] && [ -z "$is_jdk" ]; then return 0; fi
  if [ -z "$java" ] || [ "$java_found" -gt "$java_version" ] || { [ -n "$is_jdk" ] && [ -z "$jdk" ]; }; then
    java=$1/bin/java java_version=$java_found java_build=${build_found//\"/}
    if [ -n "$is_jdk" ]; then jdk=$1; fi
  fi
}

# Sets java, java_version, java_build and, if it can build too, jdk. JAVA_HOME comes first, then the
# newest of what is installed.
find_jdk() {
  java='' java_version=0 java_build='' jdk=''
  if [ -n "${JAVA_HOME:-}" ]; then
    consider "$JAVA_HOME"
    if [ -n "$java" ]; then return 0; fi
  fi
  local home on_path
  on_path=$(command -v java || true)
  while [ -L "$on_path" ]; do
    home=$(readlink "$on_path")
    case $home in /*) on_path=$home ;; *) on_path=${on_path%/*}/$home ;; esac
  done
  case $on_path in */bin/java) consider "${on_path%/bin/java}" ;; esac
  for home in /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home "$HOME"/.sdkman/candidates/java/*; do
    if [ -d "$home" ] && [ ! -L "$home" ]; then consider "$home"; fi
  done
  [ -n "$java" ]
}

require_jdk() {
  [ -n "$jdk" ] || give_up "$java can run Tidelog but not build it, for it is no JDK. $(how_to_install)"
}

jdk_is_missing() {
  echo "Java $oldest_java or newer is needed (a JDK), and none was found in JAVA_HOME, on the PATH or in the usual places. $(how_to_install)"
}

maven_is_missing() {
  echo "Maven is needed to build Tidelog, and there is no mvn on the PATH. $(how_to_install)"
}

# The command that installs both.
how_to_install() {
  local version
  if command -v apt-get >/dev/null; then
    for version in 25 21 17; do
      if apt-cache show "openjdk-$version-jdk-headless" >/dev/null 2>&1; then break; fi
    done
    echo "Install with: sudo apt-get install openjdk-$version-jdk-headless maven"
  elif command -v dnf >/dev/null; then
    echo "Install with: sudo dnf install java-21-openjdk-devel maven"
  elif command -v zypper >/dev/null; then
    echo "Install with: sudo zypper install java-21-openjdk-devel maven"
  elif command -v pacman >/dev/null; then
    echo "Install with: sudo pacman -S jdk21-openjdk maven"
  elif command -v apk >/dev/null; then
    echo "Install with: sudo apk add openjdk21-jdk maven bash"
  elif command -v brew >/dev/null; then
    echo "Install with: brew install openjdk maven"
  else
    echo "Get a JDK from https://adoptium.net and Maven from https://maven.apache.org"
  fi
}

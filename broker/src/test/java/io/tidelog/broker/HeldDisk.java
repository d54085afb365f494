package io.tidelog.broker;

import io.tidelog.disk.Disk;
import io.tidelog.disk.NioDisk;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A real disk on which copies of partitions that move begin only when a test lets them. */
final class HeldDisk {
  private final CountDownLatch release = new CountDownLatch(1);
  final Disk disk;

  HeldDisk() {
    Disk real = new NioDisk();
    disk =
        (Disk)
            Proxy.newProxyInstance(
                HeldDisk.class.getClassLoader(),
                new Class<?>[] {Disk.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("create") && isOfCopy((Path) arguments[0])) {
                    release.await();
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }

  private static boolean isOfCopy(Path file) {
    return file.getParent().toString().endsWith("-future");
  }

  void release() {
    release.countDown();
  }
}

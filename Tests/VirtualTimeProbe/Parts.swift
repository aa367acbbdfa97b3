enum Parts {
  /// The parts by name, each of which ends with `Report.finish`.
  static var all: [(name: String, start: () -> Void)] {
    [
      ("ticks", Concurrency.tick), ("group", Concurrency.race), ("stream", Concurrency.stream),
      ("clocks", Clocks.compare), ("spin", Clocks.spin),
      ("async", Queues.submit), ("barrier", Queues.useBarriers), ("perform", Queues.performConcurrently),
      ("source", Queues.fireSource),
      ("read source", Queues.readSource), ("data source", Queues.addUp), ("semaphore", Queues.signalSemaphore),
      ("dispatch group", Queues.leaveGroup),
      ("operations", RunLoops.operate), ("run loop timer", RunLoops.ring),
      ("run loop of a thread", RunLoops.runOnThread),
      ("sleep", Threads.sleep), ("condition", Threads.exchange), ("mutex", Threads.lock),
      ("rwlock", Threads.readAndWrite),
      ("barrier of threads", Threads.meet), ("thread end", Threads.endThreads), ("stdio", Threads.printUnderLock),
      ("poll", Descriptors.pollPipe), ("select", Descriptors.selectPipe), ("epoll", Descriptors.waitForTimer),
      ("printed pipe", Descriptors.readPrinted), ("socket", Descriptors.echo), ("big write", Descriptors.writeMuch),
      ("flock", Descriptors.lockFile),
      ("files", Descriptors.writeFiles), ("random", Randomness.draw),
    ]
  }
}

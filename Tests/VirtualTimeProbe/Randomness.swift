import Foundation

/// UUIDs, random numbers, hash seeds, the address layout.
enum Randomness {
  static func draw() {
    Thread.detachNewThread {
      Report.say("uuid \(UUID())")
      Report.say("random \((0..<4).map { _ in Int.random(in: 0..<1000) }) \(Double.random(in: 0..<1))")
      Report.say("shuffled \((0..<8).shuffled())")
      Report.say("hash \("a".hashValue)")
      Report.say("set \(Array(Set((0..<8).map { "k\($0)" })))")
      var bytes = [UInt8](repeating: 0, count: 4)
      let source = open("/dev/urandom", O_RDONLY)
      read(source, &bytes, 4)
      close(source)
      Report.say("urandom \(bytes)")
      // The order of a set of objects is that of their addresses.
      let objects = (0..<4).map { _ in Box(0) }
      Report.say("heap \(objects.map { ObjectIdentifier($0).hashValue })")
      let map = mmap(nil, 1 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      Report.say("map \(map.map { "\($0)" } ?? "none")")
      munmap(map, 1 << 20)
      Report.say("code \(dlsym(nil, "getpid").map { "\($0)" } ?? "none")")
      Report.say("processors \(ProcessInfo.processInfo.activeProcessorCount)")
      Report.finish("random")
    }
  }
}

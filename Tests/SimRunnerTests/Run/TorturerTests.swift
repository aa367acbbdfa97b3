import Link
import LinkTestSupport
import LinkTransport
import Testing

@testable import Simulator

struct TorturerTests {
  /// A node is aimed at when its process starts and again when it has joined; a kill between the two must not be forgotten.
  @Test func `a process that was killed remains so when it is aimed at again`() throws {
    let child = try ChildProcess(["sleep", "600"])
    defer { child.kill() }
    let torturer = Torturer(RandomStream(seed: 1, name: "torture"), killsMax: 1)
    torturer.aim(at: .watch, process: child.process)
    torturer.start()
    try waitUntil("the torturer kills") { torturer.kills == 1 }
    torturer.stop()
    torturer.aim(at: .watch, process: child.process)
    #expect(torturer.hasShot(.watch))
    #expect(child.wait(seconds: 60) == .signalled(9))
    // The next process of the role is a new target.
    torturer.forget(.watch)
    #expect(!torturer.hasShot(.watch))
  }
}

import Foundation
import Link
import Testing

@testable import WatchConnectivity

/// What `updateApplicationContext` does.
@Suite struct `Contexts` {
  @Test func `of two contexts set before the first is sent, only the second arrives`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair()
    pair.backgroundDelay = BackgroundDelay(least: .seconds(1), most: .seconds(1))
    try pair.launch(.watch, watch)
    try pair.launch(.phone, phone)
    pair.run(for: .seconds(3))
    try pair.session(.watch).updateApplicationContext(["n": 1])
    try pair.session(.watch).updateApplicationContext(["n": 2])
    pair.run(for: .seconds(5))
    #expect(phone.log.all("context") == ["context n:2"])
    #expect(pair.session(.watch).applicationContext["n"] as? Int == 2)
  }

  @Test func `each call replaces the whole context`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    try pair.session(.watch).updateApplicationContext(["a": 1])
    pair.run(for: .seconds(1))
    try pair.session(.watch).updateApplicationContext(["b": 2])
    pair.run(for: .seconds(1))
    #expect(phone.log.all("context") == ["context a:1", "context b:2"])
    #expect(pair.session(.watch).applicationContext.spelled == "b:2")
    #expect(pair.session(.phone).receivedApplicationContext.spelled == "b:2")
    #expect(pair.session(.phone).applicationContext.isEmpty)
  }

  @Test func `only the latest is sent once the counterpart is back`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.setLink(up: false)
    for number in 1...5 { try pair.session(.watch).updateApplicationContext(["n": number]) }
    pair.setLink(up: true)
    pair.run(for: .seconds(5))
    #expect(phone.log.all("context") == ["context n:5"])
  }

  @Test func `an identical context is not delivered again, and is no error`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    let context: [String: Any] = ["a": 1, "b": ["c": 2, "d": 3]]
    for _ in 0..<3 {
      try pair.session(.watch).updateApplicationContext(context)
      pair.run(for: .seconds(1))
    }
    #expect(phone.log.all("context").count == 1)
    try pair.session(.watch).updateApplicationContext(["a": 1])
    try pair.session(.watch).updateApplicationContext(context)
    pair.run(for: .seconds(1))
    #expect(phone.log.all("context").count >= 2)
  }

  @Test func `an empty context clears, and as the first one does nothing`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    try pair.session(.watch).updateApplicationContext([:])
    pair.run(for: .seconds(1))
    #expect(phone.log.all("context").isEmpty)
    try pair.session(.watch).updateApplicationContext(["a": 1])
    try pair.session(.watch).updateApplicationContext([:])
    pair.run(for: .seconds(1))
    #expect(pair.session(.phone).receivedApplicationContext.isEmpty)
    #expect(phone.log.all("context").last == "context ")
  }

  @Test func `both contexts are there after a restart of either side`() throws {
    let pair = try SessionPair.together(WholeApp(), WholeApp())
    try pair.session(.watch).updateApplicationContext(["a": 1])
    pair.run(for: .seconds(1))
    for role in [NodeRole.watch, .phone] {
      pair.kill(role)
      let app = WholeApp()
      try pair.launch(role, app)
      pair.run(for: .seconds(5))
      // Nothing waits: the earlier start has had it.
      #expect(app.log.all("context").isEmpty)
    }
    #expect(pair.session(.watch).applicationContext.spelled == "a:1")
    #expect(pair.session(.phone).receivedApplicationContext.spelled == "a:1")
  }

  @Test func `a context set before a kill arrives after the restart`() throws {
    let (watch, phone) = (WholeApp(), WholeApp())
    let pair = try SessionPair.together(watch, phone)
    pair.setLink(up: false)
    try pair.session(.watch).updateApplicationContext(["a": 1])
    pair.kill(.watch)
    try pair.launch(.watch, WholeApp())
    pair.setLink(up: true)
    pair.run(for: .seconds(5))
    #expect(phone.log.all("context") == ["context a:1"])
    #expect(pair.watch.lines("context.set").count == 1)
  }
}

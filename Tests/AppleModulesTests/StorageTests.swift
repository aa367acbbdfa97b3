import AppleFoundation
import Foundation
import Testing

/// What the apps of a device share.
@Suite(.serialized) struct `Shared storage` {
  @Test func `it outlives an app's process, and the devices do not share it`() throws {
    let run = try AppleRun(
      phone: ["store"], watch: ["store"], faults: "{ at: \"3s\", kill: \"phone\", restartAfter: \"1s\" }")
    let stored = run.events("app.stored").map { ($0.contains("\"node\":\"phone\"") ? "phone" : "watch", $0) }
    #expect(stored.filter { $0.0 == "watch" }.count == 1, "\(run.text)")
    let phone = stored.filter { $0.0 == "phone" }.map(\.1)
    try #require(phone.count == 2)
    #expect(phone[0].hasSuffix("\"launches\":1,\"notes\":1,\"starts\":1}"), "\(phone)")
    #expect(phone[1].hasSuffix("\"launches\":2,\"notes\":2,\"starts\":2}"), "\(phone)")
    #expect(stored.first { $0.0 == "watch" }?.1.hasSuffix("\"launches\":1,\"notes\":1,\"starts\":1}") == true)
  }

  @Test func `a group has a name that an entitlement can have`() {
    for name in ["", "com.example", "group./../x", "group.a b"] {
      #expect(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name) == nil, "\(name)")
    }
  }

  @Test(
    arguments: [
      (.positional, .default, ["0", "59", "1:05", "1:00:09"]),
      (.positional, .pad, ["00:00:00", "00:00:59", "00:01:05", "01:00:09"]),
      (.abbreviated, .default, ["0s", "59s", "1m 5s", "1h 9s"]),
      (.full, .dropAll, ["0 seconds", "59 seconds", "1 minute, 5 seconds", "1 hour, 9 seconds"]),
      (.short, .dropLeading, ["0 sec", "59 sec", "1 min, 5 sec", "1 hr, 0 min, 9 sec"]),
      (.brief, .dropMiddle, ["0hr 0sec", "0hr 59sec", "0hr 1min 5sec", "1hr 9sec"]),
    ]
      as [(
        UnitsFormatter.UnitsStyle,
        UnitsFormatter.ZeroFormattingBehavior, [String]
      )])
  func `a length of time is written in its units`(
    style: UnitsFormatter.UnitsStyle,
    zeros: UnitsFormatter.ZeroFormattingBehavior, texts: [String]
  ) {
    let formatter = UnitsFormatter()
    formatter.allowedUnits = [.hour, .minute, .second]
    (formatter.unitsStyle, formatter.zeroFormattingBehavior) = (style, zeros)
    #expect([0, 59, 65, 3609.9].map { formatter.string(from: $0) } == texts)
    formatter.maximumUnitCount = 1
    #expect(formatter.string(from: DateComponents(day: 2)) == nil)
  }

  @Test func `a text without a translation is its own`() {
    #expect(String(localized: "\(3) of \("five") km") == "3 of five km")
    #expect(String(localized: "a.key", defaultValue: "100 % of \(2)") == "100 % of 2")
    #expect(LocalizedStringResource("\(1) km").key == "%lld km")
    #expect([NSKeyValueChangeKey.newKey: 1][.newKey] == 1)
  }
}

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

  @Test func `a text without a translation is its own`() {
    #expect(String(localized: "\(3) of \("five") km") == "3 of five km")
    #expect(String(localized: "a.key", defaultValue: "100 % of \(2)") == "100 % of 2")
    #expect(LocalizedStringResource("\(1) km").key == "%lld km")
    #expect([NSKeyValueChangeKey.newKey: 1][.newKey] == 1)
  }
}

import CoachProtocol
import Link

/// What commits of a device's store survive.
enum StoreDurability: String, CaseIterable {
  /// The end of the app and of the device's power.
  case full
  /// The end of the app: a loss of power may take those since the store was last synced.
  case normal
}

extension Scenario {
  /// Reads `phone.durability` and `watch.durability`.
  mutating func takeDurability(_ reader: JSONObjectReader, of role: NodeRole) {
    guard let value = reader.value("durability") else { return }
    guard let durability = value.oneOf(StoreDurability.allCases.map { ($0.rawValue, $0) }) else { return }
    if durability == .normal, reader.has("command") {
      value.refuse(expected: "no durability beside a program, which has its own store")
    }
    if role == .watch { watchDurability = durability } else { phoneDurability = durability }
  }

  /// Whether a loss of power takes unsynced commits of a device.
  func losesCommits(_ role: NodeRole) -> Bool {
    guard programs[role] == nil else { return false }
    return plants.contains(.unsyncedStore) || (role == .watch ? watchDurability : phoneDurability) == .normal
  }

  /// The member of a device's object; nil for the default.
  func durabilityMember(of role: NodeRole) -> JSONMember? {
    let durability = role == .watch ? watchDurability : phoneDurability
    return durability == .full ? nil : JSONMember("durability", .string(durability.rawValue))
  }
}

import Link

/// A key of both devices.
extension ScenarioKeys {
  static let durability = Key(
    "durability", words(StoreDurability.allCases.map(\.rawValue)), "full",
    "what the device's store claims ([stores.md](stores.md#loss-of-power)): with `normal` a `reboot` with `power` loses"
      + " commits; not for a program of your own")
}

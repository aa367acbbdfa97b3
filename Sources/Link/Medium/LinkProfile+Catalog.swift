/// A profile with its name and the sources of its numbers.
public struct NamedProfile: Sendable {
  /// The name in scenarios.
  public var name: String
  /// A description.
  public var about: String
  /// For each number, whether it is `grounded` in published measurements or `assumed`.
  public var sources: [String]
  public var profile: LinkProfile
  /// Whether it is for the phone-edge link.
  public var isUplink = false
}

/// All profiles.
public enum ProfileCatalog {
  private static func chain(_ goodToBad: Double, _ badToGood: Double, slot: VirtualTime.Span = .milliseconds(30))
    -> LinkProfile.Loss
  {
    .bursts(
      GilbertElliott(
        goodToBad: Probability(goodToBad) ?? .never, badToGood: Probability(badToGood) ?? .always, slot: slot),
      isRetried: true)
  }

  /// 1 to 5 s, mostly 2: assumed, after reports of watch reconnections.
  private static let bleReconnect = LinkProfile.Reconnect(median: .seconds(2), least: .seconds(1), most: .seconds(5))

  /// The sources that the Bluetooth profiles share.
  private static let bleSources = [
    "grounded: supervision 6 s, the least that Apple's Accessory Design Guidelines ask for (6 to 18 s)",
    "grounded: a slot of 30 ms, a connection interval that iPhones often choose",
    "assumed: 40 ms and an exponential 20 ms per hop, so that a round trip takes 80 to 300 ms; a reconnect of 1 to 5 s,"
      + " log-normal around 2 s; queueBytes",
  ]
  private static let uplinkSources = ["assumed: supervision, reconnect and queueBytes too; no measurement was taken"]

  /// In the order of the reference page.
  public static let all: [NamedProfile] = [
    NamedProfile(
      name: "ideal", about: "5 ms, nothing lost, no limit",
      sources: ["assumed: all values; a link that never causes a problem"],
      profile: LinkProfile(latency: .milliseconds(5))),
    NamedProfile(
      name: "ble-still", about: "watch and phone on a desk",
      sources: [
        "grounded: no loss at a fade margin over 30 dB (a fit to the NICTA on-body channel at 2.4 GHz)",
        "assumed: 40 KB/s; 3 to 7 KB/s (BluetoothKit issue 18, arduino-esp32 issue 8540) to 300 to 400 kbit/s (Apple"
          + " forums 770717) are reported",
      ] + bleSources,
      profile: LinkProfile(
        latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .exponential, bytesPerSecond: 40_000,
        reconnect: bleReconnect)),
    NamedProfile(
      name: "ble-running", about: "running, watch and pocket on one side",
      sources: [
        "grounded: margin 20 dB, good to bad 0.025 and bad to good 0.70 a slot (a fit to the NICTA on-body channel at"
          + " 2.4 GHz, everyday movement)",
        "assumed: 32 KB/s",
      ] + bleSources,
      profile: LinkProfile(
        latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .exponential,
        losses: [chain(0.025, 0.70)], bytesPerSecond: 32_000, reconnect: bleReconnect)),
    NamedProfile(
      name: "ble-crowd", about: "the start of a marathon: the body between the devices, and many other radios",
      sources: [
        "grounded: margin 10 dB, good to bad 0.073 and bad to good 0.33 a slot of 30 ms (the same fit, across the body)",
        "assumed: interference of half a second every 12 s or so, in slots of 100 ms; 25 KB/s",
      ] + bleSources,
      profile: LinkProfile(
        latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .exponential,
        losses: [chain(0.073, 0.33), chain(0.008, 0.2, slot: .milliseconds(100))], bytesPerSecond: 25_000,
        reconnect: bleReconnect)),
    NamedProfile(
      name: "wifi", about: "both on a known Wi-Fi network, without Bluetooth",
      sources: ["assumed: all values: 20 to 80 ms round trip, 1 MB/s, 10 to 30 s to join, supervision 6 s, queueBytes"],
      profile: LinkProfile(
        latency: .milliseconds(25), jitter: .milliseconds(15), distribution: .uniform, bytesPerSecond: 1_000_000,
        queueBytes: 1_048_576,
        reconnect: LinkProfile.Reconnect(median: .seconds(15), least: .seconds(10), most: .seconds(30)))),
    NamedProfile(
      name: "lte", about: "the phone's connection to the cloud, in town",
      sources: ["assumed: 60 ms with 20 ms of jitter, 0.1 % lost, 500 KB/s"] + uplinkSources,
      profile: LinkProfile(
        latency: .milliseconds(60), jitter: .milliseconds(20), distribution: .normal,
        losses: [.independent(Probability(0.001) ?? .never)], bytesPerSecond: 500_000, queueBytes: 1_048_576,
        reconnect: bleReconnect),
      isUplink: true),
    NamedProfile(
      name: "lte-edge", about: "the phone's connection to the cloud, at the edge of a cell",
      sources: ["assumed: 300 ms with 150 ms of jitter, 3 % lost, 20 KB/s"] + uplinkSources,
      profile: LinkProfile(
        latency: .milliseconds(300), jitter: .milliseconds(150), distribution: .normal,
        losses: [.independent(Probability(0.03) ?? .never)], bytesPerSecond: 20_000, reconnect: bleReconnect),
      isUplink: true),
    NamedProfile(
      name: "none", about: "no connection to the cloud",
      sources: ["by definition"],
      profile: LinkProfile(latency: .milliseconds(5), exists: false),
      isUplink: true),
  ]

  /// The profile with this name; nil for an unknown one.
  public static func profile(named name: String) -> LinkProfile? { all.first { $0.name == name }?.profile }
}

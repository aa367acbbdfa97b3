extension LinkProfile {
  /// Reads `link` or `uplink` of a scenario: a named profile, single parts, or both, where parts override the profile.
  ///
  /// - Returns: Nil after reporting an error.
  public init?(reading reader: JSONObjectReader) {
    var profile = LinkProfile(latency: .milliseconds(5))
    var isGood = true
    if let name = reader.value("profile") {
      if let word = name.oneOf(ProfileCatalog.all.map { ($0.name, $0.profile) }) {
        profile = word
      } else {
        isGood = false
      }
    }
    if let latency = reader.span("latency") { profile.latency = latency.nanoseconds }
    if let jitter = reader.span("jitter") {
      profile.jitter = jitter.nanoseconds
      if profile.distribution == .constant { profile.distribution = .uniform }
    }
    if let word = reader.oneOf("distribution", DelayDistribution.self) { profile.distribution = word }
    if let loss = reader.value("loss") {
      if let losses = Self.losses(loss) { profile.losses = losses } else { isGood = false }
    }
    if let bytes = reader.integer("bytesPerSecond", in: 1...1 << 40) { profile.bandwidth.bytesPerSecond = bytes }
    if let bytes = reader.integer("queueBytes", in: 1...1 << 40) { profile.bandwidth.queueBytes = bytes }
    if let supervision = reader.span("supervision") { profile.supervision = supervision }
    if let reconnect = reader.value("reconnect") {
      if let range = Reconnect(reconnect) { profile.reconnect = range } else { isGood = false }
    }
    if let exists = reader.bool("exists") { profile.exists = exists }
    if let delay = reader.value("backgroundDelay") {
      if let read = BackgroundDelay(delay) { profile.backgroundDelay = read } else { isGood = false }
    }
    for case .bursts(let chain, isRetried: true) in profile.losses
    where profile.supervision.nanoseconds / chain.slot.nanoseconds > Self.retriesMax {
      reader.error(
        "found slots so short that a frame is retried more than \(Self.retriesMax) times within `supervision`,"
          + " expected a longer `slot`")
      return nil
    }
    guard isGood else { return nil }
    self = profile
  }

  /// The most retries of one frame: each is a draw.
  ///
  /// A supervision time of six seconds has 200 slots of 30 ms.
  private static let retriesMax: Int64 = 1_000_000

  private static func losses(_ value: JSONValueReader) -> [Loss]? {
    switch value.node.value {
    case .array:
      guard let elements = value.array(countMax: 8) else { return nil }
      var losses: [Loss] = []
      for element in elements {
        guard let some = Self.losses(element) else { return nil }
        losses += some
      }
      return losses
    case .object:
      guard let reader = value.object() else { return nil }
      defer { reader.finish() }
      if reader.has("probability") {
        return reader.probability("probability", required: true).map { [.independent($0)] }
      }
      _ = reader.oneOf("model", ["gilbert-elliott"], required: true)
      let isRetried = reader.bool("retry") ?? false
      return GilbertElliott(reading: reader).map { [.bursts($0, isRetried: isRetried)] }
    case .null, .bool, .integer, .number, .string:
      return value.number(in: 0...1).flatMap { Probability($0) }.map { $0 == .never ? [] : [.independent($0)] }
    }
  }

  /// All parts in the keys of a scenario, with plain numbers and without a profile's name.
  public var params: JSONValue {
    var members: [JSONMember] = [
      .seconds("latency", VirtualTime.Span(nanoseconds: latency)),
      .seconds("jitter", VirtualTime.Span(nanoseconds: jitter)),
      JSONMember("distribution", .string(distribution.rawValue)),
      JSONMember("loss", .array(losses.map { JSONNode($0.params) })),
    ]
    if let limit = bandwidth.bytesPerSecond { members.append(JSONMember("bytesPerSecond", .integer(limit))) }
    members.append(JSONMember("queueBytes", .integer(bandwidth.queueBytes)))
    members.append(.seconds("supervision", supervision))
    members.append(
      JSONMember(
        "reconnect",
        .object([
          .seconds("median", reconnect.median), .seconds("least", reconnect.least), .seconds("most", reconnect.most),
        ])))
    if let delay = backgroundDelay {
      members.append(
        JSONMember(
          "backgroundDelay", .object([.seconds("least", delay.least), .seconds("most", delay.most)])))
    }
    if !exists { members.append(JSONMember("exists", .bool(false))) }
    return .object(members)
  }
}

extension LinkProfile.Loss {
  var params: JSONValue {
    switch self {
    case .independent(let probability): .object([.number("probability", probability.value)])
    case .bursts(let chain, let isRetried): .object(chain.params + [JSONMember("retry", .bool(isRetried))])
    }
  }
}

extension LinkProfile.Reconnect {
  /// Reads a duration, or `{ median, least, most }`; nil after reporting an error.
  init?(_ value: JSONValueReader) {
    guard case .object = value.node.value else {
      guard let span = value.duration() else { return nil }
      guard span <= .seconds(86_400) else {
        value.refuse(expected: "a duration of at most 24h")
        return nil
      }
      self.init(span)
      return
    }
    guard let reader = value.object() else { return nil }
    defer { reader.finish() }
    let median = reader.span("median", required: true)
    let least = reader.span("least")
    let most = reader.span("most")
    guard let median else { return nil }
    guard least ?? median <= median, median <= most ?? median else {
      reader.error("least, median and most do not ascend")
      return nil
    }
    self.init(median: median, least: least ?? median, most: most ?? median)
  }
}

extension BackgroundDelay {
  /// Reads a duration, or `{ least, most }`; nil after reporting an error.
  init?(_ value: JSONValueReader) {
    guard case .object = value.node.value else {
      guard let span = value.duration() else { return nil }
      guard span <= .seconds(86_400) else {
        value.refuse(expected: "a duration of at most 24h")
        return nil
      }
      self.init(least: span, most: span)
      return
    }
    guard let reader = value.object() else { return nil }
    defer { reader.finish() }
    let least = reader.span("least")
    guard let most = reader.span("most", required: true) else { return nil }
    guard least ?? .zero <= most else {
      reader.error("least and most do not ascend")
      return nil
    }
    self.init(least: least ?? .zero, most: most)
  }
}

/// Makes sends of an app fail.
public struct SendFailsFault: NodeFault {
  /// The device whose app sends.
  public var node: NodeRole
  /// What fails, how often, and with which error.
  public var failures: SendFailures

  public init(_ node: NodeRole, _ failures: SendFailures) {
    self.node = node
    self.failures = failures
  }

  public static let kind = "sendFails"
  public static let isForAppsOnly = true
  public static let example = Self(
    .phone, SendFailures(error: .deliveryFailed, perMillion: 100_000, channels: [.message]))
  public static let page = FaultPage(
    about:
      "Sends of an app of your own fail, although the link is there: messages in the app's error handler, contexts by a"
      + " thrown error, user infos and files in `didFinish`.",
    formula:
      "each send on one of the channels fails with `probability`. With `when: call` it fails at the call. With `when:"
      + " later` the call succeeds, nothing is sent, and the failure comes 5 s after the call, for a message at"
      + " `replyTimeout` if that is sooner; without an error handler, or `didFinish`, it goes unnoticed. A context has no"
      + " such failure.",
    reality:
      "Sends fail with 7014, 7012 or 7017 now and then between reachable devices, and with 7007 when reachability is lost"
      + " between the check and the call. How often is not recorded.")
  public static let story = FaultStory(ending: "sends work again") { "some sends of the \($0.device)'s app fail" }
  public static let parameters = ObjectSchema<Self>(
    kind, "", Self(.phone, SendFailures(error: .deliveryFailed, perMillion: 1_000_000, channels: [.message])),
    [
      Field("node", \.node, .device, "the device whose app sends", .required),
      Field("code", \.failures.error, codeSchema, "the error"),
      Field(
        "probability", \.failures.perMillion,
        ValueSchema<Double>.number(0.000_001...1).map(
          reading: { value, _ in UInt32((value * 1_000_000).rounded()) }, writing: { Double($0) / 1_000_000 }),
        "of each send"),
      Field(
        "channels", \.failures.channels,
        .array(of: .choice(SendFailures.allChannels.map { ($0.text, $0) }), count: 1...SendFailures.allChannels.count),
        "what fails"),
      Field("when", \.failures.moment, .word, "at the call or later, which is not for contexts"),
    ]
  ) { fault, reader in
    guard fault.failures.moment == .later, fault.failures.channels.contains(.applicationContext) else { return true }
    reader.error("when: found \"later\" for applicationContext, expected it for message, userInfo and file")
    return false
  }

  /// An error by its code.
  private static let codeSchema = ValueSchema<Int64>.integer(7_000...7_999).map(
    reading: { code, value -> SessionError? in
      guard let known = SendFailures.codes.first(where: { $0.code == code }) else {
        value.refuse(expected: "one of \(SendFailures.codes.map { String($0.code) }.joined(separator: ", "))")
        return nil
      }
      return known.error
    }, writing: { error in SendFailures.codes.first { $0.error == error }?.code ?? 7_014 })

  public static func draw(_ dice: inout FaultDice) -> Self {
    let node = dice.pickNode()
    let error = SendFailures.codes[Int(dice.number(in: 0...Int64(SendFailures.codes.count - 1)))].error
    let perMillion = UInt32(dice.number(in: 1...10)) * 100_000
    let isLater = dice.happens(percent: 50)
    return Self(
      node,
      SendFailures(error: error, perMillion: perMillion, channels: [.message], moment: isLater ? .later : .call))
  }

  public var orders: [NodeOrder] { [.failSends(failures)] }
}

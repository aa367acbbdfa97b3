/// Has the getters of an app's session wait for its callbacks.
public struct GettersBlockFault: SessionQuirkFault {
  /// The device whose app waits.
  public var node: NodeRole

  public init(_ node: NodeRole) { self.node = node }

  public static let quirk = SessionQuirk.gettersBlock
  public static let isDrawnByDefault = false
  public static let effect =
    "has its app's getters wait until the callbacks so far have returned; a node that is no app may ignore it"
  public static let example = Self(.phone)
  public static let page = FaultPage(
    about:
      "Reading a property of the session, such as `isReachable` or `receivedApplicationContext`, waits for the session's"
      + " queue, unless it happens there. An app whose callback waits for the main thread (`DispatchQueue.main.sync`)"
      + " while the main thread reads a property hangs. No effect on a"
      + " simulated device.",
    formula:
      "from begin to end each getter but `activationState` returns after the callbacks that were due when it was called.",
    reality:
      "Reads of the session on the main thread were reported to hang on devices while a callback was at work. Which"
      + " properties, and in which versions, is not documented; that all do is assumed.")
  public static let story = FaultStory(ending: "the session's getters return at once again") {
    "the getters of the \($0.device)'s session wait for its callbacks"
  }
  public static let parameters = besideDevice(Self(.phone), "the device whose app waits")
}

extension SessionQuirk {
  /// The app's getters wait for its callbacks; carried out by the app's runtime.
  public static let gettersBlock = Self("gettersBlock", number: 15)
}

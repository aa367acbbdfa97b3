import DeviceClient
import Dispatch
public import Foundation
import HealthSim
import Link

/// The sound of this app on its device, beside that of others.
public final class AVAudioSession: NSObject, @unchecked Sendable {
  private static let only = AVAudioSession()
  public class func sharedInstance() -> AVAudioSession { only }

  public struct Category: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    private init(_ word: String) { rawValue = "AVAudioSessionCategory" + word }
    public static let ambient = Self("Ambient")
    public static let soloAmbient = Self("SoloAmbient")
    public static let playback = Self("Playback")
    public static let record = Self("Record")
    public static let playAndRecord = Self("PlayAndRecord")
    public static let multiRoute = Self("MultiRoute")
  }

  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    private init(_ word: String) { rawValue = "AVAudioSessionMode" + word }
    public static let `default` = Self("Default")
    public static let spokenAudio = Self("SpokenAudio")
    public static let voicePrompt = Self("VoicePrompt")
    public static let voiceChat = Self("VoiceChat")
    public static let measurement = Self("Measurement")
    public static let moviePlayback = Self("MoviePlayback")
  }

  /// The raw values are the framework's.
  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let mixWithOthers = Self(rawValue: 0x1)
    public static let duckOthers = Self(rawValue: 0x2)
    public static let allowBluetooth = Self(rawValue: 0x4)
    public static let defaultToSpeaker = Self(rawValue: 0x8)
    public static let interruptSpokenAudioAndMixWithOthers = Self(rawValue: 0x11)
    public static let allowBluetoothA2DP = Self(rawValue: 0x20)
    public static let allowAirPlay = Self(rawValue: 0x40)
  }

  public struct SetActiveOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let notifyOthersOnDeactivation = Self(rawValue: 1)
  }

  public enum InterruptionType: UInt, Sendable { case ended = 0, began }
  public struct InterruptionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let shouldResume = Self(rawValue: 1)
  }
  public enum RouteChangeReason: UInt, Sendable {
    case unknown = 0, newDeviceAvailable, oldDeviceUnavailable, categoryChange, override, wakeFromSleep
    case noSuitableRouteForCategory, routeConfigurationChange
  }
  /// The raw values are the framework's four letters.
  public enum RecordPermission: UInt, Sendable {
    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }
  /// The raw values are the framework's four letters: `!act`, `!pri`.
  public enum ErrorCode: Int, Sendable {
    case isBusy = 560_030_580
    case insufficientPriority = 561_017_449
  }

  public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
  public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")
  public static let mediaServicesWereResetNotification = Notification.Name("AVAudioSessionMediaServicesWereReset")
  public static let silenceSecondaryAudioHintNotification = Notification.Name("AVAudioSessionSilenceSecondaryAudioHint")

  private let lock = NSLock()
  private var state = State()
  private var recorders: [() -> Void] = []

  private struct State {
    var category = Category.soloAmbient
    var mode = Mode.default
    var options = CategoryOptions()
    var isActive = false
    /// Nil for what the device has said at the start.
    var isInterrupted: Bool?
    var isOtherPlaying: Bool?
  }

  private override init() {
    super.init()
    DeviceClient.shared.listen(to: ["audio"]) { [unowned self] in receive($0) }
  }

  // MARK: What the app wants

  public var category: Category { lock.withLock { state.category } }
  public var mode: Mode { lock.withLock { state.mode } }
  public var categoryOptions: CategoryOptions { lock.withLock { state.options } }
  public var isOtherAudioPlaying: Bool {
    lock.withLock { state.isOtherPlaying } ?? DeviceClient.shared.atStart.flag("music")
  }
  public var secondaryAudioShouldBeSilencedHint: Bool { isOtherAudioPlaying }
  public var outputVolume: Float { 0.5 }
  public var sampleRate: Double { 48_000 }
  /// The speaker and the microphone of the device itself: others are not simulated.
  public var currentRoute: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription() }
  public var availableInputs: [AVAudioSessionPortDescription]? { [AVAudioSessionPortDescription(.builtInMic)] }
  public func setPreferredInput(_ input: AVAudioSessionPortDescription?) throws {}

  public func setCategory(_ category: Category) throws { try setCategory(category, mode: .default) }
  public func setCategory(_ category: Category, options: CategoryOptions) throws {
    try setCategory(category, mode: .default, options: options)
  }
  /// Music of another app meets a new category at once if the session is active.
  public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    lock.withLock { (state.category, state.mode, state.options) = (category, mode, options) }
    DeviceClient.shared.send(
      "audio.category", ["category": .text(category.rawValue), "options": .integer(Int64(options.rawValue))])
  }
  public func setMode(_ mode: Mode) throws { lock.withLock { state.mode = mode } }

  /// Fails during a call of the telephone, and where sound of this app is going on at the deactivation.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    if active, isInterrupted { throw refusal(.insufficientPriority, "a call goes on") }
    lock.withLock { state.isActive = active }
    DeviceClient.shared.send(
      "audio.active",
      ["isOn": .flag(active), "notifies": .flag(options.contains(.notifyOthersOnDeactivation))])
  }

  private func refusal(_ code: ErrorCode, _ text: String) -> NSError {
    DeviceClient.shared.send("audio.refused", ["code": .integer(Int64(code.rawValue)), "text": .text(text)])
    return NSError(
      domain: NSOSStatusErrorDomain, code: code.rawValue,
      userInfo: [NSLocalizedDescriptionKey: "Session activation failed"])
  }

  // MARK: The microphone

  public var recordPermission: RecordPermission {
    switch DeviceClient.shared.permission(.microphone) {
    case 0: .undetermined
    case 1: .denied
    default: .granted
    }
  }
  /// The answer comes on a private queue.
  public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    DeviceClient.shared.ask(for: .microphone) { response($0 >= 2) }
  }

  var isInterrupted: Bool {
    lock.withLock { state.isInterrupted } ?? DeviceClient.shared.atStart.flag("interrupted")
  }

  /// Has an interruption reported, on the conductor's thread.
  func observeInterruptions(_ observer: @escaping () -> Void) { lock.withLock { recorders.append(observer) } }

  // MARK: Messages

  private func receive(_ message: DeviceMessage) {
    let fields = message.fields
    switch message.name {
    case "audio.music": lock.withLock { state.isOtherPlaying = fields.flag("isPlaying") }
    case "audio.interrupted":
      let told = lock.withLock { () -> [() -> Void] in
        state.isInterrupted = true
        state.isActive = false
        return recorders
      }
      for observer in told { observer() }
      post([AVAudioSessionInterruptionTypeKey: InterruptionType.began.rawValue])
    case "audio.ended":
      lock.withLock { state.isInterrupted = false }
      guard fields.flag("isTold") else { return }
      let options: InterruptionOptions = fields.flag("resumes") ? .shouldResume : []
      post([
        AVAudioSessionInterruptionTypeKey: InterruptionType.ended.rawValue,
        AVAudioSessionInterruptionOptionKey: options.rawValue,
      ])
    default: break
    }
  }

  private func post(_ info: [String: UInt]) {
    // As an operation: an observer with the main operation queue would wait for itself otherwise.
    OperationQueue.main.addOperation { [self] in
      NotificationCenter.default.post(name: Self.interruptionNotification, object: self, userInfo: info)
    }
  }
}

public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The domain of the session's errors.
private let NSOSStatusErrorDomain = "NSOSStatusErrorDomain"

/// The newer place of the microphone's access.
public final class AVAudioApplication: NSObject, @unchecked Sendable {
  /// The raw values are the framework's four letters.
  public enum recordPermission: UInt, Sendable {
    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }

  public static let shared = AVAudioApplication()
  public var recordPermission: recordPermission {
    AVAudioApplication.recordPermission(rawValue: AVAudioSession.sharedInstance().recordPermission.rawValue)
      ?? .undetermined
  }
  public class func requestRecordPermission(completionHandler: @escaping @Sendable (Bool) -> Void) {
    AVAudioSession.sharedInstance().requestRecordPermission(completionHandler)
  }
  public class func requestRecordPermission() async -> Bool {
    await withCheckedContinuation { continuation in
      requestRecordPermission { continuation.resume(returning: $0) }
    }
  }
}

/// A way for sound.
public final class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
  public let portType: AVAudioSession.Port
  public var portName: String { portType.rawValue }
  public var uid: String { "Built-In \(portType.rawValue)" }
  init(_ type: AVAudioSession.Port) { portType = type }
}

public final class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
  public var inputs: [AVAudioSessionPortDescription] { [AVAudioSessionPortDescription(.builtInMic)] }
  public var outputs: [AVAudioSessionPortDescription] { [AVAudioSessionPortDescription(.builtInSpeaker)] }
}

extension AVAudioSession {
  public struct Port: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    public static let builtInSpeaker = Port(rawValue: "Speaker")
    public static let builtInReceiver = Port(rawValue: "Receiver")
    public static let headphones = Port(rawValue: "Headphones")
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    public static let bluetoothLE = Port(rawValue: "BluetoothLE")
    public static let carAudio = Port(rawValue: "CarAudio")
    public static let airPlay = Port(rawValue: "AirPlay")
  }
}

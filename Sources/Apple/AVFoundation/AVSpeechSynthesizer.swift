@_exported public import AppleFoundation
import DeviceClient
import Dispatch
public import Foundation
import HealthSim
import Link

public let AVSpeechUtteranceMinimumSpeechRate: Float = 0
public let AVSpeechUtteranceDefaultSpeechRate: Float = 0.5
public let AVSpeechUtteranceMaximumSpeechRate: Float = 1

/// Where speech stops; the raw values are the framework's.
public enum AVSpeechBoundary: Int, Sendable { case immediate = 0, word }

/// How good a voice is; the raw values are the framework's.
public enum AVSpeechSynthesisVoiceQuality: Int, Sendable { case `default` = 1, enhanced, premium }

/// A voice: the compact one of a language.
public final class AVSpeechSynthesisVoice: NSObject, @unchecked Sendable {
  private static let languages = ["de-DE", "en-AU", "en-GB", "en-US", "es-ES", "fr-FR", "it-IT", "ja-JP", "nl-NL"]
  private static let prefix = "com.apple.voice.compact."

  public let language: String
  public var identifier: String { Self.prefix + language }
  public var name: String { language }
  public var quality: AVSpeechSynthesisVoiceQuality { .default }

  private init(installed language: String) { self.language = language }

  /// Nil for a language without a voice; the user's language without one.
  public convenience init?(language languageCode: String?) {
    let code = languageCode ?? Self.currentLanguageCode()
    let found = Self.languages.first { $0 == code } ?? Self.languages.first { $0.hasPrefix(code + "-") }
    guard let found else { return nil }
    self.init(installed: found)
  }
  public convenience init?(identifier: String) {
    guard identifier.hasPrefix(Self.prefix) else { return nil }
    self.init(language: String(identifier.dropFirst(Self.prefix.count)))
  }

  public class func speechVoices() -> [AVSpeechSynthesisVoice] {
    languages.map { AVSpeechSynthesisVoice(installed: $0) }
  }
  public class func currentLanguageCode() -> String { "en-US" }
}

/// Words to be said.
public final class AVSpeechUtterance: NSObject, @unchecked Sendable {
  let number = DeviceClient.shared.next()
  public let speechString: String
  public var voice: AVSpeechSynthesisVoice?
  /// From 0 to 1.
  public var rate = AVSpeechUtteranceDefaultSpeechRate
  public var pitchMultiplier: Float = 1
  public var volume: Float = 1
  public var prefersAssistiveTechnologySettings = false
  /// Silence before and after, in seconds.
  public var preUtteranceDelay: TimeInterval = 0
  public var postUtteranceDelay: TimeInterval = 0

  public init(string: String) { speechString = string }
  public init(attributedString string: NSAttributedString) { speechString = string.string }

  /// About 15 characters a second at the standard rate, in milliseconds.
  var milliseconds: Int64 {
    let characters = Double(speechString.count)
    let rate = Double(max(0, min(1, rate)))
    let speed = rate <= 0.5 ? 0.25 + 1.5 * rate : 1 + 4 * (rate - 0.5)
    return characters == 0 ? 0 : max(300, Int64(65 * characters / speed))
  }
}

/// What a synthesizer tells, on the main queue.
public protocol AVSpeechSynthesizerDelegate: AnyObject {
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance)
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance)
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance)
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance)
  func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance)
  func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange,
    utterance: AVSpeechUtterance)
}

/// The methods that a delegate may leave out.
extension AVSpeechSynthesizerDelegate {
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance) {}
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) {}
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance) {}
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance) {}
  public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) {}
  public func speechSynthesizer(
    _ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange,
    utterance: AVSpeechUtterance
  ) {}
}

/// Says utterances, one after another.
public final class AVSpeechSynthesizer: NSObject, @unchecked Sendable {
  private let number = DeviceClient.shared.next()
  private let lock = NSLock()
  private weak var listener: (any AVSpeechSynthesizerDelegate)?
  private var waiting: [Int64: AVSpeechUtterance] = [:]
  private var spoken: Int64?
  private var isHeld = false
  /// Rises with each change: the words of an earlier state are not told.
  private var turn = 0

  public override init() {
    super.init()
    SpeechFeed.shared.add(self, number)
  }

  deinit { DeviceClient.shared.send("speech.stop", ["synthesizer": .integer(number)]) }

  /// A weak reference.
  public weak var delegate: (any AVSpeechSynthesizerDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }
  public var usesApplicationAudioSession = true
  public var mixToTelephonyUplink = false

  /// Whether an utterance is being said: false between two of a queue.
  public var isSpeaking: Bool { lock.withLock { spoken != nil } }
  public var isPaused: Bool { lock.withLock { isHeld } }

  /// Appends to the queue.
  ///
  /// An utterance that was handed over before raises an exception, which ends the app.
  public func speak(_ utterance: AVSpeechUtterance) {
    let isNew = lock.withLock { waiting.updateValue(utterance, forKey: utterance.number) == nil }
    guard isNew else { fatalError("An AVSpeechUtterance shall not be enqueued twice") }
    func span(_ seconds: TimeInterval) -> DeviceValue { .integer(Int64(max(0, min(seconds, 3_600)) * 1_000)) }
    DeviceClient.shared.send(
      "speech.speak",
      [
        "synthesizer": .integer(number), "utterance": .integer(utterance.number), "text": .text(utterance.speechString),
        "lasts": .integer(utterance.milliseconds), "pre": span(utterance.preUtteranceDelay),
        "post": span(utterance.postUtteranceDelay),
      ])
  }

  /// Ends the utterance and empties the queue; at a word's end as at once.
  ///
  /// - Returns: False if nothing was to be said.
  @discardableResult
  public func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool { send("speech.stop") }
  @discardableResult
  public func pauseSpeaking(at boundary: AVSpeechBoundary) -> Bool { send("speech.pause") }
  @discardableResult
  public func continueSpeaking() -> Bool { send("speech.continue") }

  private func send(_ call: String) -> Bool {
    DeviceClient.shared.send(call, ["synthesizer": .integer(number)])
    return lock.withLock { !waiting.isEmpty }
  }

  public func write(_ utterance: AVSpeechUtterance, toBufferCallback bufferCallback: @escaping (Any) -> Void) {
    DeviceClient.reportMissing("avFoundation", "AVSpeechSynthesizer.write")
  }

  // MARK: Messages

  func receive(_ message: DeviceMessage) {
    let id = message.fields.integer("utterance")
    guard let utterance = lock.withLock({ waiting[id] }) else { return }
    let (verb, lasts) = (message.name.dropFirst("speech.".count), message.fields.integer("lasts"))
    lock.withLock {
      turn += 1
      isHeld = verb == "paused"
      spoken = verb == "started" || verb == "continued" || verb == "paused" ? id : nil
      if verb == "finished" { waiting[id] = nil }
      if verb == "cancelled" { waiting = [:] }
    }
    switch verb {
    case "started":
      delegate?.speechSynthesizer(self, didStart: utterance)
      tellWords(of: utterance, remaining: lasts)
    case "continued":
      delegate?.speechSynthesizer(self, didContinue: utterance)
      tellWords(of: utterance, remaining: lasts)
    case "finished": delegate?.speechSynthesizer(self, didFinish: utterance)
    case "paused": delegate?.speechSynthesizer(self, didPause: utterance)
    case "cancelled": delegate?.speechSynthesizer(self, didCancel: utterance)
    default: break
    }
  }

  /// Tells each word as it is said, in proportion to the characters before it.
  private func tellWords(of utterance: AVSpeechUtterance, remaining: Int64) {
    let text = utterance.speechString as NSString
    let (whole, now) = (Double(utterance.milliseconds), lock.withLock { turn })
    let done = whole - Double(remaining)
    var place = 0
    for word in utterance.speechString.split(separator: " ", omittingEmptySubsequences: false) {
      let range = NSRange(location: place, length: (String(word) as NSString).length)
      place += range.length + 1
      let at = whole * Double(range.location) / Double(max(1, text.length))
      guard range.length > 0, at >= done else { continue }
      DispatchQueue.main.asyncAfter(deadline: .now() + (at - done) / 1_000) { [weak self] in
        guard let self, lock.withLock({ self.turn }) == now else { return }
        delegate?.speechSynthesizer(self, willSpeakRangeOfSpeechString: range, utterance: utterance)
      }
    }
  }
}

/// Hands the device's messages about speech to the synthesizers of this process, on the main queue.
private final class SpeechFeed: @unchecked Sendable {
  static let shared = SpeechFeed()
  private let lock = NSLock()
  private var synthesizers: [Int64: WeakSynthesizer] = [:]

  private struct WeakSynthesizer { weak var object: AVSpeechSynthesizer? }

  private init() {
    DeviceClient.shared.listen(to: ["speech"]) { [unowned self] message in
      let message = Unsent(message)
      DispatchQueue.main.async { [self] in
        let number = message.value.fields.integer("synthesizer")
        lock.withLock { synthesizers[number]?.object }?.receive(message.value)
      }
    }
  }

  func add(_ synthesizer: AVSpeechSynthesizer, _ number: Int64) {
    lock.withLock { synthesizers[number] = WeakSynthesizer(object: synthesizer) }
  }
}

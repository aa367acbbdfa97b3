@_exported public import AVFoundation
import DeviceClient
public import Foundation
import HealthSim
import Link

/// Whether an app may have speech recognized; the raw values are the framework's.
public enum SFSpeechRecognizerAuthorizationStatus: Int, Sendable {
  case notDetermined = 0, denied, restricted, authorized

  init(_ permission: Int64) { self = permission == 0 ? .notDetermined : permission == 1 ? .denied : .authorized }
}

/// What is said in a recognition; the raw values are the framework's.
public enum SFSpeechRecognitionTaskHint: Int, Sendable { case unspecified = 0, dictation, search, confirmation }
public enum SFSpeechRecognitionTaskState: Int, Sendable { case starting = 0, running, finishing, canceling, completed }

/// A recognition that is wanted.
public class SFSpeechRecognitionRequest: NSObject, @unchecked Sendable {
  public var shouldReportPartialResults = true
  /// Not used: recognition is as fast on the device as elsewhere.
  public var requiresOnDeviceRecognition = false
  public var addsPunctuation = false
  public var contextualStrings: [String] = []
  public var taskHint = SFSpeechRecognitionTaskHint.unspecified
}

/// Of a file that `AVAudioRecorder` has written.
public final class SFSpeechURLRecognitionRequest: SFSpeechRecognitionRequest, @unchecked Sendable {
  public let url: URL
  public init(url URL: URL) { url = URL }
}

/// Of sound as it comes, which no run has.
public final class SFSpeechAudioBufferRecognitionRequest: SFSpeechRecognitionRequest, @unchecked Sendable {
  public override init() {
    super.init()
    DeviceClient.reportMissing("speech", "SFSpeechAudioBufferRecognitionRequest")
  }
  public func endAudio() {}
}

/// A word of a text, with its time in the recording in seconds.
public final class SFTranscriptionSegment: NSObject, @unchecked Sendable {
  public let substring: String
  public let substringRange: NSRange
  public let timestamp: TimeInterval
  public let duration: TimeInterval
  public var confidence: Float { 0.9 }
  public var alternativeSubstrings: [String] { [] }

  init(_ substring: String, _ range: NSRange, at timestamp: TimeInterval, _ duration: TimeInterval) {
    self.substring = substring
    substringRange = range
    self.timestamp = timestamp
    self.duration = duration
  }
}

/// What was understood.
public final class SFTranscription: NSObject, @unchecked Sendable {
  public let formattedString: String
  public let segments: [SFTranscriptionSegment]

  init(_ words: some Collection<Substring>, of seconds: TimeInterval) {
    formattedString = words.joined(separator: " ")
    var place = 0
    let share = seconds / Double(max(1, words.count))
    segments = words.enumerated().map { index, word in
      let range = NSRange(location: place, length: (String(word) as NSString).length)
      place += range.length + 1
      return SFTranscriptionSegment(String(word), range, at: share * Double(index), share)
    }
  }
}

/// A text, which is not the last one while `isFinal` is false.
public final class SFSpeechRecognitionResult: NSObject, @unchecked Sendable {
  public let bestTranscription: SFTranscription
  public var transcriptions: [SFTranscription] { [bestTranscription] }
  public let isFinal: Bool

  init(_ transcription: SFTranscription, isFinal: Bool) {
    bestTranscription = transcription
    self.isFinal = isFinal
  }
}

/// What a task tells, on the recognizer's queue.
public protocol SFSpeechRecognitionTaskDelegate: AnyObject {
  func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didFinishRecognition recognitionResult: SFSpeechRecognitionResult)
  func speechRecognitionTask(_ task: SFSpeechRecognitionTask, didFinishSuccessfully successfully: Bool)
  func speechRecognitionTaskWasCancelled(_ task: SFSpeechRecognitionTask)
}

/// The methods that a delegate may leave out.
extension SFSpeechRecognitionTaskDelegate {
  public func speechRecognitionTask(
    _ task: SFSpeechRecognitionTask, didFinishRecognition recognitionResult: SFSpeechRecognitionResult
  ) {}
  public func speechRecognitionTask(_ task: SFSpeechRecognitionTask, didFinishSuccessfully successfully: Bool) {}
  public func speechRecognitionTaskWasCancelled(_ task: SFSpeechRecognitionTask) {}
}

/// A recognition that goes on.
public final class SFSpeechRecognitionTask: NSObject, @unchecked Sendable {
  private let lock = NSLock()
  private var shown = SFSpeechRecognitionTaskState.running
  private var failure: (any Error)?

  public var state: SFSpeechRecognitionTaskState { lock.withLock { shown } }
  public var isCancelled: Bool { state == .canceling }
  public var isFinishing: Bool { state == .finishing }
  public var error: (any Error)? { lock.withLock { failure } }

  /// Its handler gets nothing more.
  public func cancel() { lock.withLock { if shown == .running { shown = .canceling } } }
  public func finish() {}

  func complete(_ error: (any Error)?) {
    lock.withLock {
      shown = .completed
      failure = error
    }
  }
}

/// What a recognizer tells of itself.
public protocol SFSpeechRecognizerDelegate: AnyObject {
  func speechRecognizer(_ speechRecognizer: SFSpeechRecognizer, availabilityDidChange available: Bool)
}

extension SFSpeechRecognizerDelegate {
  public func speechRecognizer(_ speechRecognizer: SFSpeechRecognizer, availabilityDidChange available: Bool) {}
}

/// Makes recordings into text: what the scenario has the athlete say in them.
public final class SFSpeechRecognizer: @unchecked Sendable {
  private static let languages = ["de", "en", "es", "fr", "it", "ja", "nl"]
  private static let domain = "kAFAssistantErrorDomain"

  public let locale: Locale
  public weak var delegate: (any SFSpeechRecognizerDelegate)?
  public var isAvailable: Bool { DeviceClient.shared.isInRun }
  public var supportsOnDeviceRecognition: Bool { !DeviceClient.shared.isWatch }
  public var defaultTaskHint = SFSpeechRecognitionTaskHint.unspecified
  public var queue = OperationQueue.main

  /// Nil for a user whose language is not recognized, which no run has.
  public convenience init?() { self.init(locale: Locale(identifier: "en_US")) }
  /// Nil for a language that is not recognized.
  public convenience init?(locale: Locale) {
    guard let language = locale.language.languageCode?.identifier, Self.languages.contains(language) else { return nil }
    self.init(of: locale)
  }
  private init(of locale: Locale) { self.locale = locale }

  public class func supportedLocales() -> Set<Locale> { Set(languages.map { Locale(identifier: $0) }) }
  public class func authorizationStatus() -> SFSpeechRecognizerAuthorizationStatus {
    SFSpeechRecognizerAuthorizationStatus(DeviceClient.shared.permission(.speechRecognition))
  }
  /// The answer comes on a private queue.
  public class func requestAuthorization(_ handler: @escaping @Sendable (SFSpeechRecognizerAuthorizationStatus) -> Void)
  {
    DeviceClient.shared.ask(for: .speechRecognition) { handler(SFSpeechRecognizerAuthorizationStatus($0)) }
  }

  /// Recognizes a file: a quarter of its length and a second later.
  @discardableResult
  public func recognitionTask(
    with request: SFSpeechRecognitionRequest,
    resultHandler: @escaping (SFSpeechRecognitionResult?, (any Error)?) -> Void
  ) -> SFSpeechRecognitionTask {
    let task = SFSpeechRecognitionTask()
    guard let request = request as? SFSpeechURLRecognitionRequest else { return task }
    let (queue, handler) = (Unsent(queue), Unsent(resultHandler))
    let file = VoiceFile(contentsOf: request.url)
    let seconds = file?.seconds ?? 0
    let fields = [
      DeviceField("text", .text(file?.text ?? "")), DeviceField("lasts", .integer(Int64(seconds * 1_000))),
    ]
    DeviceClient.shared.call("recognize.start", fields) { reply in
      let error = Unsent(reply.error(Self.domain))
      let words = reply.fields.text("words").split(separator: " ")
      queue.value.addOperation {
        guard !task.isCancelled else { return }
        task.complete(error.value)
        if let error = error.value { return handler.value(nil, error) }
        if request.shouldReportPartialResults, words.count > 1 {
          let part = SFTranscription(words.prefix(words.count / 2), of: seconds / 2)
          handler.value(SFSpeechRecognitionResult(part, isFinal: false), nil)
        }
        handler.value(SFSpeechRecognitionResult(SFTranscription(words, of: seconds), isFinal: true), nil)
      }
    }
    return task
  }

  @discardableResult
  public func recognitionTask(
    with request: SFSpeechRecognitionRequest, delegate: any SFSpeechRecognitionTaskDelegate
  ) -> SFSpeechRecognitionTask {
    let holder = TaskHolder(delegate)
    let task = recognitionTask(with: request) { result, error in
      guard let task = holder.task, let delegate = holder.delegate else { return }
      if let result, result.isFinal { delegate.speechRecognitionTask(task, didFinishRecognition: result) }
      if error != nil || result?.isFinal == true {
        delegate.speechRecognitionTask(task, didFinishSuccessfully: error == nil)
      }
    }
    holder.task = task
    return task
  }
}

/// A task for its own delegate.
private final class TaskHolder: @unchecked Sendable {
  weak var delegate: (any SFSpeechRecognitionTaskDelegate)?
  var task: SFSpeechRecognitionTask?
  init(_ delegate: any SFSpeechRecognitionTaskDelegate) { self.delegate = delegate }
}

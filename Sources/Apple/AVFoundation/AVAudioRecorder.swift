import DeviceClient
import Dispatch
public import Foundation
import HealthSim
import Link

public typealias AudioFormatID = UInt32
/// Four letters: `aac `, `lpcm`, `alac`.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163

public let AVFormatIDKey = "AVFormatIDKey"
public let AVSampleRateKey = "AVSampleRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"

/// How well sound is encoded; the raw values are the framework's.
public enum AVAudioQuality: Int, Sendable { case min = 0, low = 0x20, medium = 0x40, high = 0x60, max = 0x7F }

/// What a recorder tells, on the main queue.
public protocol AVAudioRecorderDelegate: AnyObject {
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
  func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

/// The methods that a delegate may leave out.
extension AVAudioRecorderDelegate {
  public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
  public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}

/// Records what the athlete says: the file is as long as its time and its settings make it, and silent.
public final class AVAudioRecorder: NSObject, @unchecked Sendable {
  public let url: URL
  public let settings: [String: Any]
  private let lock = NSLock()
  private weak var listener: (any AVAudioRecorderDelegate)?
  /// What was recorded so far, as the dates of its parts.
  private var parts: [Range<Date>] = []
  private var since: Date?
  /// Rises with each stop: the end of an earlier recording does nothing.
  private var turn = 0
  private var isOpen = false

  public init(url: URL, settings: [String: Any]) throws {
    self.url = url
    self.settings = settings
    super.init()
    guard url.isFileURL, VoiceFile.Format(settings) != nil else {
      throw NSError(domain: "NSOSStatusErrorDomain", code: 1_718_449_215, userInfo: nil)
    }
    AVAudioSession.sharedInstance().observeInterruptions { [weak self] in self?.pause() }
  }

  /// A weak reference.
  public weak var delegate: (any AVAudioRecorderDelegate)? {
    get { lock.withLock { listener } }
    set { lock.withLock { listener = newValue } }
  }
  public var isRecording: Bool { lock.withLock { since != nil } }
  /// Seconds recorded so far; 0 after a stop.
  public var currentTime: TimeInterval { lock.withLock { length } }
  public var isMeteringEnabled = false

  private var length: TimeInterval {
    let closed = parts.reduce(0) { $0 + $1.upperBound.timeIntervalSince($1.lowerBound) }
    return closed + (since.map { Date().timeIntervalSince($0) } ?? 0)
  }

  /// Creates the file.
  @discardableResult
  public func prepareToRecord() -> Bool {
    FileManager.default.createFile(atPath: url.path, contents: VoiceFile.head(settings))
  }

  /// Begins or goes on.
  ///
  /// - Returns: False during a call, in a category without recording, or if the file cannot be written.
  @discardableResult
  public func record() -> Bool {
    let session = AVAudioSession.sharedInstance()
    let records = [AVAudioSession.Category.record, .playAndRecord, .multiRoute].contains(session.category)
    guard records, !session.isInterrupted else {
      DeviceClient.shared.send(
        "audio.refused",
        ["code": .integer(0), "text": .text(records ? "a call goes on" : "the category \(session.category.rawValue)")])
      return false
    }
    guard lock.withLock({ isOpen }) || prepareToRecord() else { return false }
    lock.withLock {
      isOpen = true
      since = since ?? Date()
    }
    DeviceClient.shared.send("record.begin")
    return true
  }

  @discardableResult
  public func record(forDuration duration: TimeInterval) -> Bool {
    guard record() else { return false }
    let now = lock.withLock { turn }
    DispatchQueue.main.asyncAfter(deadline: .now() + max(0, duration)) { [weak self] in
      guard let self, lock.withLock({ self.turn }) == now else { return }
      stop()
    }
    return true
  }

  public func pause() {
    lock.withLock {
      if let since { parts.append(since..<max(since, Date())) }
      since = nil
    }
  }

  /// Completes the file.
  public func stop() {
    pause()
    let (recorded, seconds) = lock.withLock { () -> ([Range<Date>], TimeInterval) in
      defer { (parts, isOpen, turn) = ([], false, turn + 1) }
      return (isOpen ? parts : [], length)
    }
    guard !recorded.isEmpty else { return }
    // Without access to the microphone there is nothing to hear.
    let isAllowed = DeviceClient.shared.permission(.microphone) >= 2
    let heard = isAllowed ? Self.heard(in: recorded) : ""
    let data = VoiceFile.make(settings, seconds: seconds, text: heard)
    let isWritten = (try? data.write(to: url)) != nil
    DeviceClient.shared.send(
      "record.done",
      [
        "lasts": .integer(Int64((seconds * 1_000).rounded())), "bytes": .integer(isWritten ? Int64(data.count) : 0),
        "heard": .text(heard),
      ])
    DispatchQueue.main.async { [self] in delegate?.audioRecorderDidFinishRecording(self, successfully: isWritten) }
  }

  private static func heard(in parts: [Range<Date>]) -> String {
    DeviceClient.shared.atStart.list("says").filter { saying in
      parts.contains { $0.contains(Date(nanoseconds: saying.fields.integer("at"))) }
    }.map { $0.fields.text("text") }.joined(separator: " ")
  }

  @discardableResult
  public func deleteRecording() -> Bool { (try? FileManager.default.removeItem(at: url)) != nil }

  public func updateMeters() { DeviceClient.reportMissing("avFoundation", "AVAudioRecorder.updateMeters") }
  /// Decibels; silence, as meters are not simulated.
  public func averagePower(forChannel channelNumber: Int) -> Float { -160 }
  public func peakPower(forChannel channelNumber: Int) -> Float { -160 }
}

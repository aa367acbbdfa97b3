public import Foundation
import HealthSim
import WatchConnectivity

public typealias AVAudioChannelCount = UInt32
public typealias AVAudioFrameCount = UInt32
public typealias AVAudioFramePosition = Int64

/// The raw values are the framework's.
public enum AVAudioCommonFormat: UInt, Sendable {
  case otherFormat = 0, pcmFormatFloat32, pcmFormatFloat64, pcmFormatInt16, pcmFormatInt32

  fileprivate var bits: Int {
    switch self {
    case .otherFormat, .pcmFormatInt16: 16
    case .pcmFormatFloat32, .pcmFormatInt32: 32
    case .pcmFormatFloat64: 64
    }
  }
}

/// How sound is stored.
public final class AVAudioFormat: NSObject, @unchecked Sendable {
  public let sampleRate: Double
  public let channelCount: AVAudioChannelCount
  public let commonFormat: AVAudioCommonFormat
  public let isInterleaved: Bool

  /// Nil for more than two channels, which need a layout.
  public init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool
  ) {
    guard channels <= 2 else { return nil }
    (commonFormat, self.sampleRate, channelCount, isInterleaved) = (format, sampleRate, channels, interleaved)
  }

  /// Numbers with a fraction, a plane for each channel.
  public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
    self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
  }

  /// Nil for settings without a rate or a number of channels.
  public convenience init?(settings: [String: Any]) {
    func number(_ key: String) -> Double? { (settings[key] as? NSNumber)?.doubleValue ?? settings[key] as? Double }
    guard let rate = number(AVSampleRateKey), let channels = number(AVNumberOfChannelsKey), rate > 0,
      (1...2).contains(channels)
    else { return nil }
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: rate, channels: AVAudioChannelCount(channels), interleaved: false)
  }

  public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }
  public var settings: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: Int(channelCount),
      AVLinearPCMBitDepthKey: commonFormat.bits,
    ]
  }
}

public class AVAudioBuffer: NSObject, @unchecked Sendable {
  public let format: AVAudioFormat
  fileprivate init(_ format: AVAudioFormat) { self.format = format }
}

/// Sound in memory, silence at first.
public final class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
  public let frameCapacity: AVAudioFrameCount
  private let samples: UnsafeMutableBufferPointer<Float>
  private let planes: UnsafeMutableBufferPointer<UnsafeMutablePointer<Float>>

  /// At most as long as the capacity; anything else is an exception on a device.
  public var frameLength: AVAudioFrameCount = 0 {
    willSet { precondition(newValue <= frameCapacity, "a buffer's frameLength is at most its frameCapacity") }
  }

  /// Nil for more than a minute of sound: no app of a watch holds it in memory.
  public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
    let channels = Int(format.channelCount)
    guard Double(frameCapacity) <= max(format.sampleRate, 1) * 60, format.sampleRate <= 192_000 else { return nil }
    self.frameCapacity = frameCapacity
    samples = .allocate(capacity: max(1, Int(frameCapacity) * channels))
    samples.initialize(repeating: 0)
    planes = .allocate(capacity: max(1, channels))
    for channel in 0..<planes.count {
      planes.initializeElement(at: channel, to: samples.baseAddress.unsafelyUnwrapped + channel * Int(frameCapacity))
    }
    super.init(format)
  }

  deinit {
    samples.deallocate()
    planes.deallocate()
  }

  public var stride: Int { 1 }
  /// The samples of each channel; nil for another format than numbers with a fraction.
  public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
    format.commonFormat == .pcmFormatFloat32 ? planes.baseAddress.map { UnsafePointer($0) } : nil
  }
}

/// A file of sound: its length is kept, not what is heard.
public final class AVAudioFile: NSObject, @unchecked Sendable {
  public let url: URL
  public let fileFormat: AVAudioFormat
  public var processingFormat: AVAudioFormat { fileFormat }
  /// In frames.
  public private(set) var length: AVAudioFramePosition
  public var framePosition: AVAudioFramePosition
  private let settings: [String: Any]?

  /// Opens a file that this module has written, or a WAV file.
  public init(forReading fileURL: URL) throws {
    guard let data = try? Data(contentsOf: fileURL) else { throw Self.error(-43) }
    guard let seconds = VoiceFile(data)?.seconds ?? VoiceFile.secondsOfWave(data),
      let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)
    else { throw Self.error(1_954_115_647) }
    (url, fileFormat, settings, framePosition) = (fileURL, format, nil, 0)
    length = AVAudioFramePosition((seconds * format.sampleRate).rounded())
  }

  /// Makes a file, in place of an older one.
  public init(forWriting fileURL: URL, settings: [String: Any]) throws {
    guard let format = AVAudioFormat(settings: settings), VoiceFile.Format(settings) != nil else {
      throw Self.error(1_718_449_215)
    }
    (url, fileFormat, self.settings, length, framePosition) = (fileURL, format, settings, 0, 0)
    super.init()
    try store()
  }

  public convenience init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws { try self.init(forWriting: fileURL, settings: settings) }

  public func write(from buffer: AVAudioPCMBuffer) throws {
    guard settings != nil else { throw Self.error(-54) }
    length += AVAudioFramePosition(buffer.frameLength)
    framePosition = length
    try store()
  }

  private func store() throws {
    let seconds = Double(length) / max(fileFormat.sampleRate, 1)
    try VoiceFile.make(settings ?? [:], seconds: seconds, text: "").write(to: url)
  }

  private static func error(_ code: Int) -> NSError { NSError(domain: "com.apple.coreaudio.avfaudio", code: code) }
}

public typealias SystemSoundID = UInt32
/// The sound that only vibrates.
public let kSystemSoundID_Vibrate: SystemSoundID = 0xFFF

/// Plays a short sound: a fact `sound` of the run, or `haptic` for a vibration.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  if inSystemSoundID == kSystemSoundID_Vibrate {
    DeviceServices.record("haptic", json: "{\"type\":\"vibrate\"}")
  } else {
    DeviceServices.record("sound", json: "{\"id\":\(inSystemSoundID)}")
  }
}

/// Plays a short sound, and vibrates: the phone's settings decide on a device.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  AudioServicesPlaySystemSound(inSystemSoundID)
  if inSystemSoundID != kSystemSoundID_Vibrate { AudioServicesPlaySystemSound(kSystemSoundID_Vibrate) }
}

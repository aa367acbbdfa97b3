package import Foundation

/// A recording as a file: its head says how long it is and what is said, and silence fills it up.
///
/// The sizes are those of a device's file; what is encoded is not.
package struct VoiceFile {
  package var seconds: TimeInterval
  package var text: String

  /// What the settings of a recorder make.
  enum Format {
    /// Bytes a second.
    case encoded(Double)
    case plain(Double)

    /// Nil for settings without a known format.
    init?(_ settings: [String: Any]) {
      func number(_ key: String) -> Double? { (settings[key] as? NSNumber)?.doubleValue ?? settings[key] as? Double }
      let rate = number(AVSampleRateKey) ?? 44_100
      let channels = number(AVNumberOfChannelsKey) ?? 1
      guard (8_000...192_000).contains(rate), (1...8).contains(channels) else { return nil }
      let id = (settings[AVFormatIDKey] as? NSNumber)?.uint32Value ?? settings[AVFormatIDKey] as? UInt32
      switch id ?? (settings[AVFormatIDKey] as? Int).map({ UInt32(truncatingIfNeeded: $0) }) ?? kAudioFormatLinearPCM {
      case kAudioFormatMPEG4AAC, kAudioFormatAppleLossless:
        self = .encoded((number(AVEncoderBitRateKey) ?? 64_000 * channels) / 8)
      case kAudioFormatLinearPCM: self = .plain(rate * channels * (number(AVLinearPCMBitDepthKey) ?? 16) / 8)
      default: return nil
      }
    }
  }

  private struct Head: Codable {
    var milliseconds: Int64
    var text: String
  }
  /// No file is longer, whatever the time.
  private static let bytesMax = 64.0 * 1_048_576

  /// A file that is not complete: its length is not known.
  static func head(_ settings: [String: Any]) -> Data { box("ftyp", Data("M4A \u{0}\u{0}\u{0}\u{0}M4A ".utf8)) }

  static func make(_ settings: [String: Any], seconds: TimeInterval, text: String) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let head = (try? encoder.encode(Head(milliseconds: Int64((seconds * 1_000).rounded()), text: text))) ?? Data()
    var rate = 8_000.0
    switch Format(settings) {
    case .encoded(let bytes)?, .plain(let bytes)?: rate = bytes
    case nil: break
    }
    let silence = Data(count: Int(min(seconds * rate, bytesMax)))
    return Self.head(settings) + box("free", head) + box("mdat", silence)
  }

  /// A part of the file: its length, a name of four letters, its content.
  private static func box(_ name: String, _ content: Data) -> Data {
    let length = UInt32(content.count + 8)
    let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> UInt32($0)) }
    return Data(bytes) + Data(name.utf8) + content
  }

  /// Nil for a file that no recorder of this module has completed.
  package init?(contentsOf url: URL) {
    guard let data = try? Data(contentsOf: url) else { return nil }
    self.init(data)
  }

  /// How long a WAV file is: the size of its sound by the bytes a second of its format; nil for another file.
  package static func secondsOfWave(_ data: Data) -> TimeInterval? {
    let data = Data(data)
    func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[place + $1]) << (8 * $1) } }
    guard data.count >= 12, data.prefix(4) == Data("RIFF".utf8), data[8..<12] == Data("WAVE".utf8) else { return nil }
    var (place, rate) = (12, 0)
    while place + 8 <= data.count {
      let (name, size) = (data[place..<place + 4], number(place + 4))
      if name == Data("fmt ".utf8), place + 20 <= data.count { rate = number(place + 16) }
      if name == Data("data".utf8) {
        return rate > 0 ? Double(min(size, data.count - place - 8)) / Double(rate) : nil
      }
      place += 8 + size + size % 2
    }
    return nil
  }

  /// Nil for what no recorder of this module has completed.
  package init?(_ data: Data) {
    var place = data.startIndex
    while data.endIndex - place >= 8 {
      let length = Int(data[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
      guard length >= 8, length <= data.endIndex - place else { return nil }
      if data[place + 4..<place + 8] == Data("free".utf8) {
        guard let head = try? JSONDecoder().decode(Head.self, from: data[place + 8..<place + length]) else {
          return nil
        }
        seconds = Double(head.milliseconds) / 1_000
        text = head.text
        return
      }
      place += length
    }
    return nil
  }
}

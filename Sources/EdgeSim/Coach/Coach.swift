import CoachProtocol
import Link

/// Writes scripts, replies and summaries by rules, in a few voices.
///
/// Picks among phrases by the seed and the request's digest.
struct Coach: Sendable, Equatable {
  private let random: RandomStream

  init(seed: UInt64) { random = RandomStream(seed: seed, name: "edge.coach") }

  /// Picks one of several phrases.
  ///
  /// - Parameters:
  ///   - phrases: At least one.
  ///   - digest: The request's.
  ///   - choice: Tells apart several choices for one request.
  func pick(_ phrases: [String], _ digest: UInt64, _ choice: UInt64) -> String {
    phrases[Int(random.number(below: UInt64(phrases.count), for: digest, draw: choice))]
  }
}

/// Formats numbers as a coach says them.
enum Spoken {
  /// Seconds as `5:30`; nil for implausible values.
  static func clock(_ seconds: Double) -> String? {
    guard seconds.isFinite, seconds >= 0, seconds < 360_000 else { return nil }
    let whole = Int(seconds.rounded())
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  /// Metres as `5.2 kilometres`, without a fraction if whole.
  static func kilometres(_ metres: Double) -> String {
    guard metres.isFinite, metres >= 0, metres < 1e9 else { return "0 kilometres" }
    let tenths = Int((metres / 100).rounded())
    let number = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return number + (tenths == 10 ? " kilometre" : " kilometres")
  }

  private static let numbers = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// `three` up to twelve, `13` from there.
  static func count(_ number: Int) -> String {
    numbers.indices.contains(number) ? numbers[number] : String(number)
  }

  /// Capitalised for the beginning of a sentence.
  static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Text of the athlete, shortened to one line for quoting.
  static func quote(_ text: String, max: Int = 40) -> String? {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
    }
    let words = String(scalars).split(separator: " ")
    var line = ""
    for word in words {
      guard line.unicodeScalars.count + word.unicodeScalars.count < max else { break }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? nil : line
  }
}

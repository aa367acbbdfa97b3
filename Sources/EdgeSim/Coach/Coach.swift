import CoachProtocol
import Link

/// Writes scripts, replies and summaries by rules, in a few voices.
///
/// Of several ways to say a thing it picks one by the seed and the request's digest.
struct Coach: Sendable, Equatable {
  private let random: RandomStream

  /// Creates the coach of a run.
  init(seed: UInt64) { random = RandomStream(seed: seed, name: "edge.coach") }

  /// Picks one of several ways to say a thing.
  ///
  /// - Parameters:
  ///   - phrases: At least one.
  ///   - digest: The request's.
  ///   - place: Tells apart several choices about one request.
  func pick(_ phrases: [String], _ digest: UInt64, _ place: UInt64) -> String {
    phrases[Int(random.number(below: UInt64(phrases.count), for: digest, draw: place))]
  }
}

/// Numbers as a coach says them.
enum Spoken {
  /// `5:30`, of seconds; nil for what no run has.
  static func clock(_ seconds: Double) -> String? {
    guard seconds.isFinite, seconds >= 0, seconds < 360_000 else { return nil }
    let whole = Int(seconds.rounded())
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  /// `5.2`, of kilometres, without a fraction where there is none.
  static func kilometres(_ metres: Double) -> String {
    guard metres.isFinite, metres >= 0, metres < 1e9 else { return "0" }
    let tenths = Int((metres / 100).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static let numbers = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
  ]

  /// `three` up to twelve, `13` from there.
  static func count(_ number: Int) -> String {
    numbers.indices.contains(number) ? numbers[number] : String(number)
  }

  /// The same at the beginning of a sentence.
  static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Words of somebody else's, made fit to be quoted: one line, and short.
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

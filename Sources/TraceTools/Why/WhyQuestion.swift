package import Console
package import Link

/// The question that `sim-runner why` answers.
package enum WhyQuestion: Equatable {
  case at(VirtualTime)
  case line(Int)
  case message(String)
  case violation(Int)
  /// By its number in the scenario, from 1.
  case expectation(Int)
  case never(String)

  package static let options: [Option] = [
    .value("--at", "TIME", "why what happened at this instant did: 15:04, 1:02:03.5, 15m4s"),
    .value("--line", "N", "why line N of the trace was written"),
    .value("--message", "ID", "why this line of the script was spoken, or not"),
    .value(
      "--violation", "N", "why the N-th violation happened, from 1; without any, why the N-th failed expectation did"),
    .value("--expectation", "N", "why the N-th expectation of the scenario is met or not, from 1"),
    .value("--never", "EVENT", "why no such event happened: script.dispatch"),
  ]

  /// Reads the only question among the arguments.
  package init(_ arguments: Arguments) throws(Failure) {
    let given = Self.options.map(\.name).filter { arguments.value($0) != nil }
    guard given.count == 1, let option = given.first, let text = arguments.value(option) else {
      let found = given.isEmpty ? "no question" : given.joined(separator: " and ")
      throw .input("found \(found), expected one of \(Self.options.map(\.name).joined(separator: ", "))")
    }
    switch option {
    case "--at": self = .at(try ClockText.parse(text, option: option))
    case "--line": self = .line(try Self.number(text, option))
    case "--violation": self = .violation(try Self.number(text, option))
    case "--expectation": self = .expectation(try Self.number(text, option))
    case "--never": self = .never(text)
    default: self = .message(text)
    }
  }

  private static func number(_ text: String, _ option: String) throws(Failure) -> Int {
    guard let number = Int(text), number > 0 else {
      throw .input("\(option): found \"\(TerminalText.escape(text))\", expected a whole number from 1 on")
    }
    return number
  }
}

/// An instant as the story prints it, or as a duration.
package enum ClockText {
  /// Reads `15:04`, `1:02:03.5` or `15m4s`.
  package static func parse(_ text: String, option: String) throws(Failure) -> VirtualTime {
    if text == "0" { return .start }
    guard text.contains(":") else {
      do throws(DurationText.Failure) { return .start + (try DurationText.parse(text)) } catch {
        throw .input(
          "\(option): found \"\(TerminalText.escape(text))\", expected \(error.expected), or a clock such as 15:04")
      }
    }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let seconds = parts.last.flatMap({ Double($0) }), (0..<60).contains(seconds),
      let minutes = Int64(parts[parts.count - 2]), (0..<(parts.count == 3 ? 60 : 100_000)).contains(minutes),
      let hours = parts.count == 3 ? Int64(parts[0]) : 0, (0..<10_000).contains(hours)
    else {
      throw .input("\(option): found \"\(TerminalText.escape(text))\", expected a clock such as 15:04 or 1:02:03.5")
    }
    return VirtualTime(nanoseconds: (hours * 3_600 + minutes * 60) * 1_000_000_000 + Int64((seconds * 1e9).rounded()))
  }
}

import Link

/// One command of `sim-runner`: one file and a line in ``CommandCatalog``.
package protocol Command: SendableMetatype {
  /// The name on the command line.
  static var name: String { get }
  /// A short description.
  static var about: String { get }
  /// The operands as the help shows them.
  static var usage: String { get }
  static var options: [Option] { get }
  /// More for the help page: output and exit status.
  static var details: String { get }
  /// Whether `sim-runner --help` omits it, because only programs call it.
  static var isHidden: Bool { get }
  /// Whether all arguments after the name are operands, whatever they look like.
  static var takesAnyWords: Bool { get }

  /// Runs the command.
  ///
  /// - Returns: The exit status: 0 all held, 1 something did not.
  /// - Throws: Status 2 for bad usage and bad input, 3 for an environment that failed.
  static func run(_ arguments: Arguments) throws(Failure) -> Int32
}

extension Command {
  package static var details: String { "" }
  package static var isHidden: Bool { false }
  package static var takesAnyWords: Bool { false }
}

/// One option of a command.
package struct Option {
  /// With its dashes.
  package var name: String
  /// The placeholder of its value in the help; nil for a flag.
  package var value: String?
  /// A short description.
  package var about: String
  /// Whether its value is an output file, which no operand may be.
  var isWritten = false

  /// An option with a value.
  package static func value(_ name: String, _ value: String, _ about: String) -> Option {
    Option(name: name, value: value, about: about)
  }

  /// An option that names an output file, which is replaced if it exists.
  package static func output(_ name: String, _ value: String, _ about: String) -> Option {
    Option(name: name, value: value, about: about, isWritten: true)
  }

  /// An option without a value.
  package static func flag(_ name: String, _ about: String) -> Option { Option(name: name, about: about) }
}

/// A command's arguments, sorted into options and operands.
package struct Arguments {
  /// In order.
  package private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Sorts arguments; an option's value follows it, or follows `=`.
  package init(_ words: [String], for command: any Command.Type) throws(Failure) {
    if command.takesAnyWords {
      operands = words
      return
    }
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        return
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = Self.outputName(parts[0], command.options) ?? parts[0]
      guard let option = command.options.first(where: { $0.name == name }) else {
        let hint = Spelling.nearest(to: name, among: command.options.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        throw .input("sim-runner \(command.name): unknown option \(name)\(hint) (--help lists them)")
      }
      if let value = option.value {
        guard let given = parts.count > 1 ? parts[1] : rest.popFirst() else {
          throw .input("sim-runner \(command.name): \(name) needs a value: \(name) \(value)")
        }
        values[name, default: []].append(given)
      } else {
        guard parts.count == 1 else { throw .input("sim-runner \(command.name): \(name) takes no value") }
        values[name, default: []].append("")
      }
    }
  }

  /// The option that `-o`, `--out` or `--output` means: the command's own of these, else its only one that names an output file; nil for
  /// other words, and where none is meant.
  package static func outputName(_ word: String, _ options: [Option]) -> String? {
    let words = ["--output", "--out"]
    guard word == "-o" || words.contains(word) else { return nil }
    if let own = options.first(where: { $0.name == word }) ?? options.first(where: { words.contains($0.name) }) {
      return own.name
    }
    let written = options.filter { $0.isWritten }
    return written.count == 1 ? written[0].name : written.first { $0.name == "--trace" }?.name
  }

  /// Whether a flag or an option is given.
  package func has(_ name: String) -> Bool { values[name] != nil }
  /// The last value of an option; nil if not given.
  package func value(_ name: String) -> String? { values[name]?.last }

  /// All values of an option, in order.
  package func values(_ name: String) -> [String] { values[name] ?? [] }

  /// An unsigned integer option; nil if not given.
  package func unsigned(_ name: String) throws(Failure) -> UInt64? {
    guard let text = value(name) else { return nil }
    guard let number = UInt64(text) else {
      throw .input("\(name): found \"\(text)\", expected a whole number from 0 to \(UInt64.max)")
    }
    return number
  }

  /// A number option within a range; `standard` if not given, which must lie within it, too.
  package func count(_ name: String, _ range: ClosedRange<UInt64>, standard: Int) throws(Failure) -> Int {
    let number = try unsigned(name) ?? UInt64(standard)
    guard range.contains(number) else {
      throw .input("\(name): found \(number), expected a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(number)
  }

  /// The only operand.
  package func onlyOperand(_ what: String) throws(Failure) -> String {
    guard let first = operands.first else { throw .input("\(what) is missing") }
    guard operands.count == 1 else { throw .input("found \"\(operands[1])\", expected nothing after \"\(first)\"") }
    return first
  }
}

/// The names of commands that code below the commands mentions: in messages, and to start this program again.
package enum CommandName {
  package static let demo = "demo"
  package static let run = "run"
  package static let test = "test"
  package static let sweep = "sweep"
  package static let check = "check"
  package static let profile = "profile"
  package static let replay = "replay"
  package static let importWorkout = "import"
  package static let become = "become"
  package static let guardRun = "guard"
  package static let worker = "worker"
}

/// Converts a command between one option's text and a list of arguments.
package enum CommandWords {
  /// Splits at blanks; quotes of either kind keep blanks, a backslash outside single quotes keeps the next character.
  ///
  /// - Throws: For an unclosed quote, and for an empty command.
  package static func split(_ text: String, option: String) throws(Failure) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let character = rest.popFirst() {
      if let open = quote {
        if character == open {
          quote = nil
        } else if character == "\\", open == "\"", let next = rest.first, next == "\"" || next == "\\" {
          word?.append(next)
          rest.removeFirst()
        } else {
          word?.append(character)
        }
        continue
      }
      switch character {
      case "'", "\"":
        quote = character
        word = word ?? ""
      case "\\":
        guard let next = rest.popFirst() else {
          throw .input("\(option): found a backslash at the end, expected a character after it")
        }
        word = (word ?? "") + String(next)
      case _ where character.isWhitespace:
        if let finished = word { words.append(finished) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let quote { throw .input("\(option): found no second \(quote), expected quotes in pairs") }
    if let word { words.append(word) }
    guard let program = words.first, !program.isEmpty else {
      throw .input("\(option): found no word, expected a program and its arguments")
    }
    return words
  }

  /// Joins arguments, quoted for a shell.
  package static func join(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    if word.unicodeScalars.contains(where: TerminalText.mustBeEscaped) { return bytesQuoted(word) }
    let plain = word.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "-_./:=@%+,".unicodeScalars.contains(scalar))
    }
    return plain && !word.isEmpty
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// An argument with control characters, as bash, ksh and zsh read it: `$'a\x0Ab'`.
  private static func bytesQuoted(_ word: String) -> String {
    var text = "$'"
    for scalar in word.unicodeScalars {
      if TerminalText.mustBeEscaped(scalar) {
        for byte in Character(scalar).utf8 {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      } else {
        if scalar == "'" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "'"
  }
}

/// The error of a command, with its exit status.
package enum Failure: Error {
  /// Bad usage or bad input: position, found, expected.
  case input(String)
  /// Bad input with several errors, one line each.
  case problems([String])
  /// The environment failed: no socket, no disk, a node that died.
  case environment(String)

  package var status: Int32 {
    switch self {
    case .input, .problems: 2
    case .environment: 3
    }
  }

  /// One or more lines for standard error, escaped for a terminal.
  package var text: String {
    switch self {
    case .input(let text), .environment(let text): TerminalText.escape(text)
    case .problems(let lines): lines.map(TerminalText.escape).joined(separator: "\n")
    }
  }
}

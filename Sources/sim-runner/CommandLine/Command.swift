/// One command of `sim-runner`: a file of its own and a line in ``CommandCatalog``.
protocol Command: SendableMetatype {
  /// What is typed.
  static var name: String { get }
  /// What it does, in a few words.
  static var about: String { get }
  /// What follows the name, as the help shows it.
  static var usage: String { get }
  /// The options it takes.
  static var options: [Option] { get }
  /// More for the help page: what it prints, what the exit status says.
  static var details: String { get }
  /// Whether `sim-runner --help` leaves it out: a command that programs call.
  static var isHidden: Bool { get }
  /// Whether what follows the name is no option of ours, whatever it looks like.
  static var takesAnyWords: Bool { get }

  /// Does it.
  ///
  /// - Returns: The exit status: 0 all held, 1 something did not.
  /// - Throws: Status 2 for bad usage and bad input, 3 for an environment that failed.
  static func run(_ arguments: Arguments) throws(Failure) -> Int32
}

extension Command {
  static var details: String { "" }
  static var isHidden: Bool { false }
  static var takesAnyWords: Bool { false }
}

/// One option of a command.
struct Option {
  /// With its dashes.
  var name: String
  /// What stands for its value in the help; nil for a flag.
  var value: String?
  /// What it does.
  var about: String
  /// Whether its value is a file that the command writes anew, and that no operand may be.
  var isWritten = false

  /// An option with a value.
  static func value(_ name: String, _ value: String, _ about: String) -> Option {
    Option(name: name, value: value, about: about)
  }

  /// An option that names a file to be written, which replaces what stands there.
  static func output(_ name: String, _ value: String, _ about: String) -> Option {
    Option(name: name, value: value, about: about, isWritten: true)
  }

  /// An option without one.
  static func flag(_ name: String, _ about: String) -> Option { Option(name: name, about: about) }
}

/// The words after a command's name, sorted into options and operands.
struct Arguments {
  /// Operands in their order.
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]

  /// Sorts words; an option's value follows it, or stands behind `=`.
  init(_ words: [String], for command: any Command.Type) throws(Failure) {
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
      let name = parts[0] == "-o" ? "--output" : parts[0]
      guard let option = command.options.first(where: { $0.name == name }) else {
        let hint = Self.nearest(name, command.options.map(\.name)).map { "; did you mean \($0)?" } ?? ""
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

  private static func nearest(_ word: String, _ known: [String]) -> String? { nearestSpelling(to: word, among: known) }

  /// Whether a flag or an option is given.
  func has(_ name: String) -> Bool { values[name] != nil }
  /// The last value of an option; nil where it is not given.
  func value(_ name: String) -> String? { values[name]?.last }

  /// All values of an option, in their order.
  func values(_ name: String) -> [String] { values[name] ?? [] }

  /// A whole number without sign of an option; nil where it is not given.
  func unsigned(_ name: String) throws(Failure) -> UInt64? {
    guard let text = value(name) else { return nil }
    guard let number = UInt64(text) else {
      throw .input("\(name): found \"\(text)\", expected a whole number from 0 to \(UInt64.max)")
    }
    return number
  }

  /// The only operand.
  func onlyOperand(_ what: String) throws(Failure) -> String {
    guard let first = operands.first else { throw .input("\(what) is missing") }
    guard operands.count == 1 else { throw .input("found \"\(operands[1])\", expected nothing after \"\(first)\"") }
    return first
  }
}

import Console

/// What may come next on a command line that is being typed.
struct CompletionRequest {
  /// The words after the program's name; the last one is unfinished and may be empty.
  let words: [String]

  /// What a shell can offer.
  struct Answer: Equatable {
    /// The beginning of the unfinished word that is not part of the value: `--plant=`.
    var prefix = ""
    var kind: ValueKind
  }

  /// - Parameter words: The words as the shell splits them. Bash splits `--plant=x` into three words, which are
  ///   accepted too.
  init(_ words: [String]) {
    var joined: [String] = []
    var isValue = false
    for word in words {
      if word == "=", let last = joined.last, last.hasPrefix("--"), !last.contains("=") {
        joined[joined.count - 1] += "="
        isValue = true
      } else if isValue, let last = joined.last {
        joined[joined.count - 1] = last + word
        isValue = false
      } else {
        joined.append(word)
      }
    }
    self.words = joined.isEmpty ? [""] : joined
  }

  /// The answer; nil if there is nothing to offer.
  var answer: Answer? {
    guard let first = words.first else { return nil }
    guard words.count > 1 else {
      let options = DemoCommand.options.map { ValueKind.Word(text: $0.name, about: $0.about) }
      let general = [
        ValueKind.Word(text: "--help", about: "lists the commands"),
        ValueKind.Word(text: "--version", about: "prints the version"),
      ]
      return Answer(kind: .words(first.hasPrefix("-") ? general + options : ValueKind.commands))
    }
    if ["help", "--help", "-h"].contains(first) {
      return words.count == 2 ? Answer(kind: .words(ValueKind.commands)) : nil
    }
    if first.hasPrefix("-") { return answer(for: DemoCommand.self, words[...]) }
    guard let command = CommandCatalog.all.first(where: { $0.name == first }) else { return nil }
    return answer(for: command, words.dropFirst())
  }

  private func answer(for command: any Command.Type, _ words: ArraySlice<String>) -> Answer? {
    guard let current = words.last else { return nil }
    var operands = 0
    var pending: Option?
    var isOptions = !command.takesAnyWords
    for word in words.dropLast() {
      if pending != nil {
        pending = nil
      } else if isOptions, word == "--" {
        isOptions = false
      } else if isOptions, word.hasPrefix("-"), word != "-" {
        // An option with a value after `=` expects no further one.
        pending = Self.option(word, of: command).flatMap { $0.value == nil ? nil : $0 }
      } else {
        operands += 1
      }
    }
    if let pending { return Self.answer(for: pending, of: command, prefix: "") }
    if isOptions, current.hasPrefix("-") {
      if let sign = current.firstIndex(of: "=") {
        guard let option = Self.option(String(current[..<sign]), of: command) else { return nil }
        return Self.answer(for: option, of: command, prefix: String(current[...sign]))
      }
      let help = ValueKind.Word(text: "--help", about: "describes the command")
      return Answer(kind: .words(command.options.map { ValueKind.Word(text: $0.name, about: $0.about) } + [help]))
    }
    return Self.operand(operands, of: command).map { Answer(kind: $0) }
  }

  private static func option(_ word: String, of command: any Command.Type) -> Option? {
    let name = Arguments.outputName(word, command.options) ?? word
    return command.options.first { $0.name == name }
  }

  private static func answer(for option: Option, of command: any Command.Type, prefix: String) -> Answer? {
    guard let value = option.value, let kind = ValueKind(value, option: option.name, of: command.name) else {
      return nil
    }
    return Answer(prefix: prefix, kind: kind)
  }

  /// What the operand of an index is, from 0; nil beyond the last one.
  private static func operand(_ index: Int, of command: any Command.Type) -> ValueKind? {
    let operands = operands(of: command)
    guard let place = index < operands.count ? operands[index] : operands.last, index < operands.count || place.repeats
    else { return nil }
    return ValueKind(place.text, option: nil, of: command.name)
  }

  /// The operands in a command's usage, in their order.
  static func operands(of command: any Command.Type) -> [(text: String, repeats: Bool)] {
    var operands: [(String, Bool)] = []
    for word in command.usage.split(separator: " ") {
      // After the first option there are only options.
      if word.hasPrefix("--") && word != "--" || word.hasPrefix("[-") || word == "[OPTIONS]" { break }
      let repeats = word.hasSuffix("...")
      let text = String(word.filter { !"[].".contains($0) })
      if text != "--" { operands.append((text, repeats)) }
    }
    return operands
  }

  /// The answer for the shells' scripts: a line for each offer, with fields separated by tabs.
  ///
  /// ```
  /// word NAME ABOUT         a name that can be typed
  /// files SUFFIX...         files whose name ends so, and folders on the way; all files without a suffix
  /// folders                 folders
  /// ```
  ///
  /// - Parameter hasPrefix: Whether names include the prefix of their word.
  func text(hasPrefix: Bool) -> String {
    guard let answer else { return "" }
    switch answer.kind {
    case .free: return ""
    case .folder: return "folders\n"
    case .files(let suffixes): return (["files"] + suffixes).joined(separator: "\t") + "\n"
    case .words(let words):
      return words.map { word in
        "word\t\(hasPrefix ? answer.prefix : "")\(word.text)" + (word.about.isEmpty ? "" : "\t\(word.about)") + "\n"
      }.joined()
    }
  }
}

/// What an act gives a method of the app.
extension AppObjects {
  /// How an argument is read, and what the scenario gives; nil for a type that is neither simple nor a choice.
  ///
  /// - Parameter literal: What a view of the app gives, if it is a literal.
  func argument(_ type: String, _ key: String, _ literal: String?) -> (read: String, json: String?)? {
    // A case has the name of a value in the app's own types, and no text.
    if let literal, literal.hasPrefix("."), types[type]?.kind == "enum" { return (literal, nil) }
    if let literal, !literal.hasPrefix("."), let read = Self.reader(type, key, literal) {
      return ("\(read) ?? \(literal)", literal)
    }
    return Self.simple(type, key) ?? choice(type, key)
  }

  private static func reader(_ type: String, _ key: String, _ literal: String) -> String? {
    let isText = literal.hasPrefix("\"")
    switch type {
    case "String", "Any", "Any?", "any Any": return isText ? "act.string(\"\(key)\")" : nil
    case "Int": return isText || literal.contains(".") ? nil : "act.integer(\"\(key)\")"
    case "Double", "TimeInterval": return isText ? nil : "act.number(\"\(key)\")"
    case "Bool": return ["true", "false"].contains(literal) ? "act.flag(\"\(key)\")" : nil
    default: return nil
    }
  }

  /// One of the names that an enumeration of the app has; the first without an argument.
  private func choice(_ type: String, _ key: String) -> (read: String, json: String?)? {
    guard let known = types[type], known.kind == "enum", known.inherits.contains("CaseIterable"), !known.isPrivate
    else { return nil }
    guard known.inherits.contains("String") else { return ("\(type).allCases.first!", nil) }
    return ("act.string(\"\(key)\").flatMap { \(type)(rawValue: $0) } ?? \(type).allCases[0]", nil)
  }

  /// How an act's argument is read, and what the scenario gives.
  private static func simple(_ type: String, _ key: String) -> (read: String, json: String?)? {
    switch type {
    case "String": ("act.string(\"\(key)\") ?? \"fresh\"", "\"fresh\"")
    case "Int": ("act.integer(\"\(key)\") ?? 1", "1")
    case "Double", "TimeInterval": ("act.number(\"\(key)\") ?? 1", "1")
    case "Bool": ("act.flag(\"\(key)\") ?? true", "true")
    // What is given an object of Apple's is called by the system, not by a button.
    default: type.hasSuffix("?") && !appleTypes.contains { type.hasPrefix($0) } ? ("nil", nil) : nil
    }
  }

  private static let appleTypes = ["HK", "CL", "CM", "WC", "WK", "UN", "UI", "AV", "NS", "Error", "any Error"]

  /// A value of the app's own: one of a list that its type has, a constant of it, or one made of simple values.
  ///
  /// The code is that of an optional.
  func sample(of type: String, _ key: String) -> (code: String, json: String?)? {
    guard let known = types[type], !known.isPrivate, !known.isGeneric, known.kind != "protocol" else { return nil }
    let constants = known.members.filter {
      ["let", "var"].contains($0.kind) && $0.modifiers.contains("static") && !$0.isPrivate
    }
    if let list = constants.first(where: { $0.type == "[ \(type) ]" }) {
      return ("Sample.of(\(type).\(list.name), act.integer(\"\(key)\"))", "0")
    }
    let isNothing = ["empty", "none", "zero", "placeholder"]
    if let one = constants.first(where: {
      ($0.type == type || $0.type.isEmpty && $0.valueType == type) && !isNothing.contains($0.name)
    }) {
      return ("Optional(\(type).\(one.name))", nil)
    }
    guard ["struct", "class"].contains(known.kind) else { return nil }
    return made(known, depth: 0).map { ("Optional(\($0))", nil) }
  }

  /// A value that is made of simple ones.
  private func made(_ type: SwiftDeclaration, depth: Int) -> String? {
    guard depth < 3 else { return nil }
    let inits = type.members.filter { $0.kind == "init" }
    var needed: [(label: String?, type: String)] = []
    if inits.isEmpty {
      guard type.kind == "struct" else { return nil }
      for one in type.members where ["let", "var"].contains(one.kind) && !one.modifiers.contains("static") {
        guard one.body == nil, !one.hasValue else { continue }
        guard !one.isPrivate, one.attributes.isEmpty else { return nil }
        if one.kind == "var", one.type.hasSuffix("?") { continue }
        needed.append((one.name, one.type))
      }
    } else {
      let usable = inits.filter {
        !$0.isPrivate && !$0.isFailable && !$0.isAsync && !$0.isThrowing && !$0.isGeneric
          && !$0.parameters.contains { $0.type.contains("Decoder") }
      }
      guard let least = usable.min(by: { $0.parameters.count < $1.parameters.count }) else { return nil }
      needed = least.parameters.filter { !$0.hasDefault }.map { ($0.label, $0.type) }
    }
    var arguments: [String] = []
    for one in needed {
      guard let value = value(of: one.type, depth) else { return nil }
      arguments.append((one.label.map { "\($0): " } ?? "") + value)
    }
    return "\(type.name)(\(arguments.joined(separator: ", ")))"
  }

  private func value(of type: String, _ depth: Int) -> String? {
    if type.hasSuffix("?") { return "nil" }
    if type.hasPrefix("["), type.hasSuffix("]") { return type.contains(":") ? "[:]" : "[]" }
    if ["Bool", "Int", "Double", "TimeInterval", "String", "Date", "UUID"].contains(type) { return Self.values[type] }
    if let known = types[type], known.kind == "enum", known.inherits.contains("CaseIterable"), !known.isPrivate {
      return "\(type).allCases.first!"
    }
    return types[type].flatMap { made($0, depth: depth + 1) }
  }
}

/// What one device's program makes, follows and offers: each a line of its `main.swift`.
struct AppObjects {
  /// A thing that a user can do.
  struct Hand: Equatable {
    var name: String
    var method: String
    /// The arguments as the scenario gives them, as JSON5; empty for none.
    var arguments: String
  }

  struct Line {
    var code: String
    /// What the page says about it.
    var about: String
  }

  let types: [String: SwiftDeclaration]
  /// The classes that SwiftData stores.
  private let models: [String]
  private let calls: AppCalls
  private(set) var made: [String] = []
  private(set) var lines: [Line] = []
  private(set) var hands: [Hand] = []
  /// Facts of switches: `RunModel-isRunning`.
  private(set) var switches: [String] = []
  /// Delegates and screens that no program can make by itself, and why.
  private(set) var unmade: [String] = []

  private static let shared = ["shared", "default", "standard", "instance", "main", "current", "sharedInstance"]
  private static let applications = [
    "UIApplicationDelegate": "UIApplication.shared", "WKApplicationDelegate": "WKApplication.shared()",
    "WKExtensionDelegate": "WKExtension.shared()",
  ]
  private static let verbs = [
    "start", "stop", "pause", "resume", "send", "sync", "end", "log", "save", "tap", "toggle", "add", "begin", "finish",
    "reset", "mark", "record", "update", "request", "select", "increment", "decrement", "delete", "remove", "clear",
    "lap", "set", "complete", "refresh", "push", "transfer", "share", "choose", "show", "open",
  ]

  /// - Parameters:
  ///   - types: The types that are compiled.
  ///   - users: Those that use the session without being its delegate.
  ///   - inner: Those that another type makes for itself.
  ///   - models: The classes that SwiftData stores.
  ///   - calls: What views and models call.
  init(
    types: [String: SwiftDeclaration], users: Set<String> = [], inner: Set<String> = [], models: [String] = [],
    calls: AppCalls = AppCalls()
  ) {
    (self.types, self.models, self.calls) = (types, models, calls)
    let classes = types.values.filter { ["class", "actor"].contains($0.kind) && !$0.isPrivate && !$0.isGeneric }
    // As on a device, what the app does first it does before it has a delegate.
    for name in types.values.filter({ $0.kind == "struct" && $0.inherits.contains("App") }).map(\.name).sorted() {
      made.append(name)
      lines.append(
        Line(code: "let \(Self.variable(name)) = \(name)()", about: "begins the app: `\(name).init`"))
      takeObjects(of: name)
    }
    let delegates = classes.filter { $0.inherits.contains("WCSessionDelegate") }.map(\.name).sorted()
    let screens = classes.filter { one in
      !models.contains(one.name) && Self.isScreen(one) || users.contains(one.name)
    }.map(\.name).sorted()
    let applications = classes.filter { one in one.inherits.contains { Self.applications[$0] != nil } }.map(\.name)
      .sorted()
    // An application's delegate is the first object of an app, and often holds the others.
    for name in applications where !inner.contains(name) && make(name, depth: 0) != nil { takeObjects(of: name) }
    for name in delegates + screens + applications where !made.contains(name) {
      if inner.contains(name) {
        unmade.append("\(name): another type makes it for itself")
      } else if make(name, depth: 0) == nil {
        unmade.append("\(name): its initializers need what adopt cannot make")
      }
    }
    for name in made { follow(name) }
    var activators: Set<String> = []
    for name in delegates where made.contains(name) { activate(name, &activators) }
    activateAsViews(delegates)
    for name in applications where made.contains(name) {
      let shared = types[name]?.inherits.compactMap { Self.applications[$0] }.first ?? ""
      lines.append(Line(code: "\(shared).delegate = \(Self.variable(name))", about: "begins the app's life: \(name)"))
    }
    for name in made { askForAccess(name, &activators) }
    for name in made { offer(name, except: activators) }
  }

  /// Takes the objects that the app itself makes: a second one of each would be a second user of the session.
  private mutating func takeObjects(of app: String) {
    for member in types[app]?.members ?? [] where ["let", "var"].contains(member.kind) && member.body == nil {
      let name = member.type.isEmpty ? member.valueType : member.type
      guard !member.isPrivate, !member.modifiers.contains("static"), !made.contains(name), let type = types[name],
        ["class", "actor"].contains(type.kind), !type.isPrivate, !type.isGeneric
      else { continue }
      made.append(name)
      lines.append(
        Line(
          code: "let \(Self.variable(name)) = \(Self.variable(app)).\(member.name)",
          about: "takes the app's own `\(member.name)`"))
    }
  }

  private static func isScreen(_ one: SwiftDeclaration) -> Bool {
    one.inherits.contains("ObservableObject") || one.attributes.contains("Observable")
  }

  private static func variable(_ type: String) -> String { "the\(type)" }

  /// Makes an object of a type, once; returns the expression for it, nil if that is impossible.
  private mutating func make(_ name: String, depth: Int) -> String? {
    if made.contains(name) { return Self.variable(name) }
    guard depth < 5, let type = types[name], !type.isGeneric, !type.isPrivate, let value = value(of: type, depth) else {
      return nil
    }
    guard ["class", "actor"].contains(type.kind) else { return value }
    made.append(name)
    lines.append(Line(code: "let \(Self.variable(name)) = \(value)", about: "makes `\(value)`"))
    return Self.variable(name)
  }

  /// Whether it has the session's delegate.
  var hasDelegate: Bool {
    let kept = kept
    return types.values.contains { $0.inherits.contains("WCSessionDelegate") && kept.contains(Self.variable($0.name)) }
  }

  /// Whether something can happen in the program: it has the session's delegate, or else any object.
  var hasSession: Bool {
    let kept = kept
    let isOfDelegates = types.values.contains { $0.inherits.contains("WCSessionDelegate") }
    return isOfDelegates ? hasDelegate : !kept.isEmpty
  }

  /// The variables of the objects that are still there.
  var kept: [String] {
    made.map(Self.variable).filter { name in lines.contains { $0.code.hasPrefix("let \(name) =") } }
  }

  private mutating func value(of type: SwiftDeclaration, _ depth: Int) -> String? {
    let properties = type.members.filter { ["let", "var"].contains($0.kind) }
    let inits = type.members.filter { $0.kind == "init" }
    let isOne = !inits.isEmpty && inits.allSatisfy(\.isPrivate)
    let shared = properties.first { one in
      guard one.modifiers.contains("static"), !one.isPrivate else { return false }
      // Of a type that only it can make, one of any name, such as `sharedManager`.
      if isOne, one.type == type.name || one.valueType == type.name { return true }
      return Self.shared.contains(one.name) && (one.type.isEmpty || one.type == type.name)
    }
    if let shared { return "\(type.name).\(shared.name)" }
    if inits.isEmpty {
      let isWhole = properties.allSatisfy { one in
        one.hasValue || one.modifiers.contains("static") || one.kind == "var" && one.type.hasSuffix("?")
          || !one.attributes.isEmpty && one.attributes.contains("AppStorage")
      }
      return isWhole && type.kind != "enum" ? "\(type.name)()" : nil
    }
    let usable = inits.filter { !$0.isPrivate && !$0.isFailable && !$0.isAsync && !$0.isThrowing && !$0.isGeneric }
    for one in usable.sorted(by: { $0.parameters.count < $1.parameters.count }) {
      var arguments: [String] = []
      for parameter in one.parameters where !parameter.hasDefault {
        guard let value = argument(of: parameter.type, depth) else { break }
        arguments.append((parameter.label.map { "\($0): " } ?? "") + value)
      }
      guard arguments.count == one.parameters.filter({ !$0.hasDefault }).count else { continue }
      return "\(type.name)(\(arguments.joined(separator: ", ")))"
    }
    return nil
  }

  private mutating func argument(of type: String, _ depth: Int) -> String? {
    if type.hasSuffix("?") { return "nil" }
    let parts = type.split(separator: " ")
    if let known = Self.values[type] { return known }
    if let stored = stored(type) { return stored }
    if let callback = Self.callback(parts) { return callback }
    if parts.count == 1 { if let one = make(type, depth: depth + 1) { return one } }
    // A protocol of the app, of which one type is known.
    guard let last = parts.last.map(String.init), types[last]?.kind == "protocol" else { return nil }
    for one in types.values.sorted(by: { $0.name < $1.name }) where one.inherits.contains(last) {
      if let value = make(one.name, depth: depth + 1) { return value }
    }
    return nil
  }

  /// What stands for a value that the app's own program would have given.
  static let values = [
    "WCSession": "WCSession.default", "UserDefaults": "UserDefaults.standard", "HKHealthStore": "HKHealthStore()",
    "NotificationCenter": "NotificationCenter.default", "FileManager": "FileManager.default",
    "DispatchQueue": "DispatchQueue.main", "JSONEncoder": "JSONEncoder()", "JSONDecoder": "JSONDecoder()",
    "URL": "FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]", "Bool": "false",
    "Int": "0", "Double": "0", "TimeInterval": "0", "String": "\"adopted\"", "Date": "Date()", "UUID": "UUID()",
  ]

  /// SwiftData's store of the app's models, which a program has once.
  private mutating func stored(_ type: String) -> String? {
    guard !models.isEmpty, ["ModelContainer", "ModelContext"].contains(type) else { return nil }
    let list = models.map { "\($0).self" }.joined(separator: ", ")
    let code = "let theModelContainer = try! ModelContainer(for: \(list))"
    if !lines.contains(where: { $0.code == code }) {
      lines.append(Line(code: code, about: "makes a `ModelContainer`"))
    }
    return type == "ModelContainer" ? "theModelContainer" : "theModelContainer.mainContext"
  }

  /// A callback that leads nowhere; nil for another type than that of a closure without a result.
  private static func callback(_ parts: [Substring]) -> String? {
    guard parts.suffix(2) == ["->", "Void"] || parts.suffix(3) == ["->", "(", ")"],
      let open = parts.firstIndex(of: "("),
      let close = parts.firstIndex(of: ")"), open < close, parts[close...].dropFirst().first == "->"
    else { return nil }
    guard close > open + 1 else { return "{}" }
    let count = parts[open..<close].count { $0 == "," } + 1
    return "{ \([String](repeating: "_", count: count).joined(separator: ", ")) in }"
  }

  private mutating func follow(_ name: String) {
    guard let type = types[name], Self.isScreen(type), type.kind == "class" else { return }
    let isObservable = type.attributes.contains("Observable")
    let properties = type.members.filter { one in
      one.kind == "var" && !one.isPrivate && !one.modifiers.contains("static")
        && (isObservable ? !one.attributes.contains("ObservationIgnored") : one.attributes.contains("Published"))
    }
    guard !properties.isEmpty else { return }
    let object = Self.variable(name)
    let values = properties.map { "\"\($0.name)\": \(object).\($0.name)" }.joined(separator: ", ")
    let call = isObservable ? "followObservable(\"\(name)\")" : "follow(\(object), \"\(name)\")"
    lines.append(
      Line(code: "ScreenRecorder.\(call) { [\(values)] }", about: "records the changes of \(name)"))
    switches += properties.filter { one in
      Self.switchNames.contains(one.name)
    }.map { "\(name)-\($0.name)" }
  }

  private static let switchNames: Set<String> = [
    "isRunning", "running", "isActive", "isStarted", "isRecording", "isWorkoutActive", "isTracking", "isOn",
  ]

  private mutating func activate(_ name: String, _ activators: inout Set<String>) {
    guard let type = types[name] else { return }
    let begun = Set(type.members.filter { $0.kind == "init" }.flatMap(\.bodyWords))
    let methods = type.members.filter { one in
      one.kind == "func" && !one.isPrivate && !one.modifiers.contains("static") && one.bodyWords.contains("activate")
        && one.parameters.allSatisfy(\.hasDefault) && !one.name.hasPrefix("session")
    }
    activators.formUnion(methods.map { "\(name).\($0.name)" })
    guard !begun.contains("activate"), let method = methods.first, !methods.contains(where: { begun.contains($0.name) })
    else { return }
    lines.append(Line(code: call(method, on: name, ""), about: "begins the session: \(name).\(method.name)"))
  }

  /// Activates the session where only views do.
  private mutating func activateAsViews(_ delegates: [String]) {
    let isDone = types.values.contains { one in one.members.contains { $0.bodyWords.contains("activate") } }
    guard !isDone, calls.shown.contains("activate"), delegates.contains(where: made.contains) else { return }
    lines.append(Line(code: "WCSession.default.activate()", about: "begins the session, as a view does"))
  }

  /// Asks for what users allow, as the app's first screen does: no press of a button, and without it there is no data.
  private mutating func askForAccess(_ name: String, _ activators: inout Set<String>) {
    for method in types[name]?.members ?? [] where method.kind == "func" && isAccess(method) {
      activators.insert("\(name).\(method.name)")
      lines.append(Line(code: call(method, on: name, ""), about: "asks for access: \(name).\(method.name)"))
    }
  }

  private func isAccess(_ method: SwiftDeclaration) -> Bool {
    !method.isPrivate && !method.isGeneric && method.parameters.allSatisfy(\.hasDefault)
      && method.modifiers.isDisjoint(with: ["static", "override", "class"])
      && ["request", "authorize", "ask"].contains { method.name.hasPrefix($0) }
      && ["uthoriz", "ermission"].contains { method.name.contains($0) }
  }

  private func call(_ method: SwiftDeclaration, on name: String, _ arguments: String) -> String {
    let isActor = types[name]?.kind == "actor"
    let isLater = method.isAsync || isActor
    var text = "\(Self.variable(name)).\(method.name)(\(arguments))"
    if isLater { text = "await \(text)" }
    if method.isThrowing { text = "try? \(text)" }
    if !method.type.isEmpty && method.type != "Void" || method.isThrowing { text = "_ = \(text)" }
    return isLater ? "Task { @MainActor in \(text) }" : text
  }

  private mutating func offer(_ name: String, except activators: Set<String>) {
    guard let type = types[name] else { return }
    for method in type.members where method.kind == "func" && !activators.contains("\(name).\(method.name)") {
      guard !method.isPrivate, !method.isGeneric, method.modifiers.isDisjoint(with: ["static", "override", "class"]),
        isButton(method), !calls.isInner(method, of: type)
      else { continue }
      var (arguments, given, samples, isSimple): ([String], [String], [String], Bool) = ([], [], [], true)
      for (parameter, literal) in zip(method.parameters, calls.values(of: method))
      where !parameter.hasDefault || literal != nil {
        let key = parameter.label ?? "value\(given.isEmpty ? "" : "\(given.count + 1)")"
        if let (read, json) = argument(parameter.type, key, literal) {
          arguments.append((parameter.label.map { "\($0): " } ?? "") + read)
          if let json { given.append("\(key): \(json)") }
        } else if parameter.hasDefault {
          continue
        } else if let sample = sample(of: parameter.type, key) {
          samples.append("let \(key)Sample = \(sample.code)")
          arguments.append((parameter.label.map { "\($0): " } ?? "") + "\(key)Sample")
          if let json = sample.json { given.append("\(key): \(json)") }
        } else {
          isSimple = false
          break
        }
      }
      guard isSimple else { continue }
      let act = hands.contains { $0.name == method.name } ? "\(name)-\(method.name)" : method.name
      guard act.utf8.count <= 64, act.utf8.allSatisfy({ $0 < 128 }), !hands.contains(where: { $0.name == act }) else {
        continue
      }
      let argument = arguments.joined(separator: ", ")
      let closure = given.isEmpty ? "_ in" : "act in"
      let press = call(method, on: name, argument)
      hands.append(
        Hand(name: act, method: "\(name).\(method.name)", arguments: given.joined(separator: ", ")))
      lines.append(
        Line(
          code: "Simulation.onAct(\"\(act)\") { \(closure) "
            + (samples.isEmpty ? press : "if \(samples.joined(separator: ", ")) { \(press) }") + " }",
          about: "the act \(act): \(name).\(method.name)"))
    }
  }

  /// Whether a view calls it for its effect, or its name is that of one.
  private func isButton(_ method: SwiftDeclaration) -> Bool {
    let isCalled = calls.shown.contains(method.name) && (method.type.isEmpty || method.type == "Void")
    return isCalled || Self.isButton(method.name)
  }

  private static func isButton(_ name: String) -> Bool {
    if name.hasSuffix("Button") || name.contains("ButtonTapped") || name.hasSuffix("Tapped") { return true }
    return verbs.contains { verb in
      name == verb || name.hasPrefix(verb) && name.dropFirst(verb.count).first?.isUppercase == true
    }
  }

  /// Takes out a line that does not compile.
  mutating func remove(_ index: Int, why: String) {
    let line = lines.remove(at: index)
    unmade.append("\(line.about): \(why)")
    hands.removeAll { line.about == "the act \($0.name): \($0.method)" }
  }
}

import Foundation

/// A file of an app as one device compiles it.
struct AppSource {
  /// In the app's folder.
  var path: String
  /// The text as it is compiled: the device's conditions decided, declarations of views blank.
  ///
  /// Each line stays where it is.
  private(set) var text: [UInt8]
  private(set) var parser: SwiftParser
  /// The names of declarations that are left out, as they belong to the user interface.
  private(set) var blanked: [String] = []
  /// A class that SwiftData stores.
  struct Model {
    var name: String
    /// The properties of which no two objects have the same value.
    var unique: [String]
  }

  private(set) var models: [Model] = []
  /// The actors that work with SwiftData's models.
  private(set) var modelActors: [String] = []
  /// Modules that are imported and missing.
  private(set) var missingModules: [String] = []
  /// What the views that are left out call.
  private(set) var callsOfViews: [AppCalls.Call] = []
  /// The names after a point in these.
  private(set) var shown: Set<String> = []

  private static let viewTypes: Set<String> = [
    "View", "Scene", "Widget", "WidgetBundle", "PreviewProvider", "ViewModifier", "ButtonStyle", "LabelStyle",
    "ToggleStyle", "Shape", "InsettableShape", "Layout", "UIViewRepresentable", "UIViewControllerRepresentable",
    "WKInterfaceObjectRepresentable", "UIViewController", "UITableViewController", "UICollectionViewController",
    "UIHostingController", "UIView", "UITableViewCell", "UICollectionViewCell", "UIButton", "UILabel",
    "UINavigationController", "UITabBarController", "WKInterfaceController", "WKHostingController",
    "WKUserNotificationHostingController", "UIWindowSceneDelegate", "TimelineProvider", "TimelineEntry", "AppIntent",
    "CLKComplicationDataSource", "EnvironmentKey", "PreferenceKey", "Commands", "ToolbarContent",
  ]
  /// Types of the user interface in the type of a member.
  private static let viewWords: Set<String> = [
    "View", "Color", "Image", "Font", "LinearGradient", "Gradient", "Text", "UIColor", "UIImage", "UIFont",
    "EnvironmentValues", "AnyView", "Scene", "Angle", "ShapeStyle", "Edge", "Alignment", "LocalizedStringKey",
    "ForEach",
  ]
  /// What joins the app to its delegate, which the program does in its place.
  private static let adaptors: Set<String> = [
    "UIApplicationDelegateAdaptor", "WKApplicationDelegateAdaptor", "WKExtensionDelegateAdaptor", "Environment",
    "SceneStorage", "FocusedValue", "GestureState",
  ]
  private static let lostAttributes = [
    "main", "UIApplicationMain", "NSApplicationMain", "objcMembers", "objc", "nonobjc",
  ]
  /// What SwiftData's macros read of a class and its properties.
  private static let modelAttributes = ["Attribute", "Relationship"]
  private static let observed = ["Model": "Observable", "Transient": "ObservationIgnored"]
  private static let modelMacros: Set<String> = ["Unique", "Index"]
  /// What the macro `@ModelActor` writes into an actor.
  private static let modelActor =
    " nonisolated let modelContainer: ModelContainer; nonisolated let modelContext: ModelContext; "
    + "init(modelContainer: ModelContainer) { self.modelContainer = modelContainer; "
    + "modelContext = ModelContext(modelContainer) }"

  /// - Parameter without: What `adopt.json` leaves out of it.
  init(path: String, bytes: [UInt8], role: DeviceRole, without: [String] = []) {
    self.path = path
    let truth = DeviceTruth(role: role)
    text = truth.active(bytes)
    parser = SwiftParser(text)
    var blanks: [(Int, Int)] = []
    for one in parser.declarations { Self.addBlanks(of: one, in: "", to: &blanks, names: &blanked) }
    func isBlank(_ place: Int) -> Bool { blanks.contains { $0.0 <= place && place < $0.1 } }
    if !blanks.isEmpty {
      callsOfViews = parser.memberCalls().filter { isBlank($0.start) }
      shown = Set(parser.memberNames().filter { isBlank($0.start) }.map(\.name))
    }
    for one in parser.declarations where one.kind == "class" && one.attributes.contains("Model") {
      let unique = one.members.filter { member in
        member.attributes.contains("Attribute")
          && String(decoding: text[member.start..<member.end], as: UTF8.self).contains(".unique")
      }
      models.append(Model(name: one.name, unique: unique.map(\.name)))
    }
    modelActors = parser.declarations.filter { $0.kind == "actor" && $0.attributes.contains("ModelActor") }.map(\.name)
    for (start, end) in blanks { blank(start..<end) }
    for one in parser.declarations where one.inherits.contains("App") && one.begins { openProperties(of: one) }
    decide(truth)
    if !models.isEmpty || !modelActors.isEmpty || !blanks.isEmpty || !missingModules.isEmpty || isOfApp {
      parser = SwiftParser(text)
    }
    for name in without { leaveOut(name) }
  }

  /// Lets the program see the objects that an app makes at its start: they are what its screens show.
  private mutating func openProperties(of app: SwiftDeclaration) {
    for member in app.members where ["let", "var"].contains(member.kind) && member.isPrivate {
      let head = SwiftTokens(text).tokens.first { $0.start >= member.start && $0.text == "private" }
      if let head, head.end < member.end { blank(head.start..<head.end) }
    }
  }

  /// Puts something in the place of a part of the text; each line stays where it is.
  mutating func replace(_ range: Range<Int>, with words: String, closing: String) {
    let lines = text[range].filter { $0 == 0x0A }
    text.replaceSubrange(range, with: Array(words.utf8) + lines + Array(closing.utf8))
  }

  /// Reads the declarations of a changed text.
  mutating func readAgain() { parser = SwiftParser(text) }

  private static func addBlanks(
    of one: SwiftDeclaration, in place: String, to blanks: inout [(Int, Int)], names: inout [String]
  ) {
    let isView =
      one.isType && (one.inherits.contains(where: viewTypes.contains) || one.inherits.contains("App") && !one.begins)
      || one.kind == "extension" && (viewWords.contains(one.name) || one.inherits.contains(where: viewTypes.contains))
      || one.kind == "macro" && (one.name == "Preview" || !place.isEmpty && modelMacros.contains(one.name))
    let hasViewType =
      ["var", "let", "func"].contains(one.kind)
      && (one.attributes.contains(where: adaptors.contains) || Self.isShown(one.type))
    if isView || hasViewType {
      blanks.append((one.start, one.end))
      if one.kind != "macro" { names.append(place + one.name) }
    } else {
      for member in one.members { addBlanks(of: member, in: "\(place)\(one.name).", to: &blanks, names: &names) }
    }
  }

  private static func isShown(_ type: String) -> Bool {
    type.split { !$0.isLetter && !$0.isNumber }.contains { viewWords.contains(String($0)) }
  }

  private mutating func blank(_ range: Range<Int>) {
    for index in range where text[index] != 0x0A { text[index] = 0x20 }
  }

  /// Writes the device's answers into the conditions, and takes out imports and attributes that are not there.
  private mutating func decide(_ truth: DeviceTruth) {
    for one in parser.imports where !DeviceTruth.modules.contains(one.module) {
      missingModules.append(one.module)
      blank(one.start..<one.end)
    }
    for part in parser.submodules { blank(part.start..<part.end) }
    let tokens = SwiftTokens(text).tokens
    var edits: [(Range<Int>, [UInt8])] = []
    for (index, token) in tokens.enumerated() {
      if token.kind == .directive {
        let resolved = truth.resolve(token.text)
        if resolved != token.text { edits.append((token.start..<token.end, Array(resolved.utf8))) }
      } else if !models.isEmpty, token.text == "@", index + 1 < tokens.count,
        let other = Self.observed[tokens[index + 1].text]
      {
        // There are no macros but Swift's own here: what SwiftData stores it also observes.
        edits.append((tokens[index + 1].start..<tokens[index + 1].end, Array(other.utf8)))
      } else if token.text == "@", index + 1 < tokens.count, tokens[index + 1].text == "ModelActor",
        let body = tokens[index...].first(where: { $0.text == "{" })
      {
        blank(token.start..<tokens[index + 1].end)
        edits.append((body.end..<body.end, Array(Self.modelActor.utf8)))
      } else if token.text == "@", index + 1 < tokens.count,
        Self.lostAttributes.contains(tokens[index + 1].text)
          || !models.isEmpty && Self.modelAttributes.contains(tokens[index + 1].text)
      {
        var (last, depth) = (index + 1, 0)
        if index + 2 < tokens.count, tokens[index + 2].text == "(", tokens[index + 2].start == tokens[last].end {
          repeat {
            last += 1
            depth += tokens[last].text == "(" ? 1 : tokens[last].text == ")" ? -1 : 0
          } while depth > 0 && last + 1 < tokens.count
        }
        blank(token.start..<tokens[last].end)
      }
    }
    for (range, bytes) in edits.reversed() { text.replaceSubrange(range, with: bytes) }
  }

  /// Whether it has the app itself, whose views would make what the program makes.
  var isOfApp: Bool { parser.declarations.contains { $0.kind == "struct" && $0.inherits.contains("App") } }
  var imports: Set<String> { Set(parser.imports.map(\.module)) }
  /// Whether nothing is left of it.
  var isEmpty: Bool { parser.declarations.isEmpty }

  /// The names that other files can use: types, functions and properties outside types.
  var declared: Set<String> { Set(parser.declarations.filter { $0.kind != "extension" }.map(\.name)) }
  var extended: Set<String> {
    Set(parser.declarations.filter { $0.kind == "extension" }.map { String($0.name.prefix { $0 != "." }) })
  }
  /// The members of its extensions, by the type's name.
  func extends(_ type: String, with member: String) -> Bool {
    parser.declarations.contains { one in
      one.kind == "extension" && one.name == type && one.members.contains { $0.name == member }
    }
  }
}

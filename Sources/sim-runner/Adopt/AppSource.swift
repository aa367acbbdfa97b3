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
  /// Modules that are imported and missing.
  private(set) var missingModules: [String] = []

  private static let viewTypes: Set<String> = [
    "View", "App", "Scene", "Widget", "WidgetBundle", "PreviewProvider", "ViewModifier", "ButtonStyle", "LabelStyle",
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
    "EnvironmentValues", "AnyView", "Angle", "ShapeStyle", "Edge", "Alignment", "LocalizedStringKey", "ForEach",
  ]
  private static let lostAttributes = [
    "main", "UIApplicationMain", "NSApplicationMain", "objcMembers", "objc", "nonobjc",
  ]

  init(path: String, bytes: [UInt8], role: DeviceRole) {
    self.path = path
    let truth = DeviceTruth(role: role)
    text = truth.active(bytes)
    parser = SwiftParser(text)
    var blanks: [(Int, Int)] = []
    for one in parser.declarations { Self.addBlanks(of: one, in: "", to: &blanks, names: &blanked) }
    for (start, end) in blanks { blank(start..<end) }
    decide(truth)
    if !blanks.isEmpty || !missingModules.isEmpty { parser = SwiftParser(text) }
  }

  private static func addBlanks(
    of one: SwiftDeclaration, in place: String, to blanks: inout [(Int, Int)], names: inout [String]
  ) {
    let isView =
      one.isType && one.inherits.contains(where: viewTypes.contains)
      || one.kind == "extension" && (viewWords.contains(one.name) || one.inherits.contains(where: viewTypes.contains))
      || one.kind == "macro" && one.name == "Preview"
    let hasViewType =
      ["var", "let", "func"].contains(one.kind)
      && one.type.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).contains { viewWords.contains(String($0)) }
    if isView || hasViewType {
      blanks.append((one.start, one.end))
      if one.kind != "macro" { names.append(place + one.name) }
    } else {
      for member in one.members { addBlanks(of: member, in: "\(place)\(one.name).", to: &blanks, names: &names) }
    }
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
      } else if token.text == "@", index + 1 < tokens.count, Self.lostAttributes.contains(tokens[index + 1].text) {
        var end = tokens[index + 1].end
        if index + 2 < tokens.count, tokens[index + 2].text == "(", tokens[index + 2].start == end,
          let close = tokens[(index + 2)...].first(where: { $0.text == ")" })
        {
          end = close.end
        }
        blank(token.start..<end)
      }
    }
    for (range, bytes) in edits.reversed() { text.replaceSubrange(range, with: bytes) }
  }

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

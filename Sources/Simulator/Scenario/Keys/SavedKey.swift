import Link

/// `saved`: marks a file that this program wrote; such files are passed on, so the programs they name need a permission.
enum SavedKey: ScenarioKey {
  static let standard = false
  static let field = Field<Scenario>(
    "saved", \.isSaved, .bool,
    "written by `sim-runner` into scenarios that it saves with the programs of a run: `--run-programs` starts them"
  )
  .omittedAtDefault
}

extension Scenario {
  /// Whether the file was saved by this program, and may be someone else's.
  package var isSaved: Bool {
    get { self[SavedKey.self] }
    set { self[SavedKey.self] = newValue }
  }
}

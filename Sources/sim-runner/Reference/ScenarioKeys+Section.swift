import Link

extension ScenarioKeys {
  /// An object of a scenario.
  struct Section: Sendable {
    /// Its place, such as `workout.source.model`; empty for the whole.
    ///
    /// Several are joined by `and`; a form of its own has a colon.
    var path: String
    /// What it is about.
    var about: String
    var keys: [Key]

    init(path: String, about: String, keys: [Key]) {
      self.path = path
      self.about = about
      self.keys = keys
    }

    init(_ path: String, _ object: ObjectDescription) {
      let keys = object.allFields.map { Key($0.name, $0.value, $0.standard, $0.about) }
      self.init(path: path, about: object.about, keys: keys)
    }
  }

  /// One key.
  struct Key: Sendable {
    var name: String
    /// Type and bounds; an object or array whose keys have a section of their own says only that it is one.
    var value: ValueDescription
    /// What an absent key means; nil for a required key.
    var standard: String?
    var about: String

    init(_ name: String, _ value: ValueDescription, _ standard: String?, _ about: String) {
      self.name = name
      self.value = value
      self.standard = standard
      self.about = about
    }
  }
}

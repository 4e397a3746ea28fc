import SQLite

extension FeatureStore {
  /// Stores the course for queries.
  func keep(_ course: Course) throws {
    try withCourse { database in
      let point = try database.prepare(
        "INSERT INTO checkpoint (Nom, Altitud, x, y) VALUES (?, ?, ?, ?)")
      for checkpoint in course.checkpoints {
        try point.bind(checkpoint.name, at: 1)
        try point.bind(checkpoint.altitude, at: 2)
        try point.bind(checkpoint.place.x, at: 3)
        try point.bind(checkpoint.place.y, at: 4)
        try point.run()
      }
      let line = try database.prepare(
        "INSERT INTO stage (Nom, path, west, south, east, north) VALUES (?, ?, ?, ?, ?, ?)")
      for stage in course.stages {
        let (xs, ys) = (stage.path.map(\.x), stage.path.map(\.y))
        try line.bind(stage.name, at: 1)
        try line.bind(LinePath.text(stage.path), at: 2)
        for (index, edge) in [xs.min(), ys.min(), xs.max(), ys.max()].enumerated() {
          try line.bind(edge, at: Int32(index) + 3)
        }
        try line.run()
      }
    }
  }
}

extension Course {
  /// The towns along the old narrow-gauge railway from Olot to the sea, for rehearsals without a
  /// course file. Unverified, within some 300 m.
  private static let towns: [(String, latitude: Double, longitude: Double, altitude: Double)] = [
    ("Olot", 42.1822, 2.4890, 443), ("Les Preses", 42.1447, 2.4606, 480),
    ("Sant Feliu de Pallerols", 42.0783, 2.5089, 490),
    ("Les Planes d'Hostoles", 42.0569, 2.5400, 367), ("Amer", 42.0097, 2.6025, 180),
    ("La Cellera de Ter", 41.9686, 2.6278, 165), ("Anglès", 41.9561, 2.6372, 181),
    ("Bonmatí", 41.9656, 2.6642, 150), ("Bescanó", 41.9664, 2.7397, 103),
    ("Salt", 41.9750, 2.7928, 85), ("Girona", 41.9794, 2.8214, 75),
    ("Quart", 41.9392, 2.8425, 110), ("Llambilles", 41.9219, 2.8525, 120),
    ("Cassà de la Selva", 41.8886, 2.8758, 136), ("Llagostera", 41.8281, 2.8939, 163),
    ("Santa Cristina d'Aro", 41.8131, 2.9972, 20), ("Castell d'Aro", 41.8175, 3.0261, 30),
    ("Sant Feliu de Guíxols", 41.7806, 3.0281, 4),
  ]

  public static var carrilet: Course {
    var course = Course()
    for town in towns {
      guard let place = Projection.degrees.place(x: town.longitude, y: town.latitude) else {
        continue
      }
      if let last = course.checkpoints.last {
        course.stages.append(
          Stage(name: "\(last.name) - \(town.0)", path: [last.place, place]))
      }
      course.checkpoints.append(
        Checkpoint(name: town.0, altitude: town.altitude, place: place))
    }
    return course
  }
}

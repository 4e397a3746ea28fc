import Wording

import { providerConformance } from '../testing/conformance.ts'
import { localHarness } from '../testing/local.ts'

providerConformance('local', () => localHarness())

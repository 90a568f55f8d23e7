import { providerConformance } from '../provider.conformance.ts'
import { localHarness } from './harness.ts'

providerConformance('local', () => localHarness())

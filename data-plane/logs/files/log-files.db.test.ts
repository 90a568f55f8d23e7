import { logStoreConformance } from '../../testing/logs/conformance.ts'
import { openStore } from '../../testing/logs/store.ts'

logStoreConformance('of files', openStore)

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backendConformance } from '../../testing/storage/backend-conformance.ts'
import { createFileBackend } from './file-backend.ts'

const root = await mkdtemp(join(tmpdir(), 'plinth-files-'))
const backend = createFileBackend(root)
backendConformance(
  'files',
  () => backend,
  () => rm(root, { recursive: true }),
)

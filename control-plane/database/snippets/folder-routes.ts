import { snippetFolders as api } from '#contract/database/snippet-folders'
import { implement } from '#kit/http'
import type { Folders } from './folders.ts'

export const folderRoutes = (folders: Folders) => [
  implement(api.list, ({ ref }, caller) => folders.list(caller, ref)),
  implement(api.create, ({ ref, name }, caller) => folders.create(caller, ref, name)),
  implement(api.rename, (input, caller) => folders.rename(caller, input)),
  implement(api.remove, ({ ref, id }, caller) => folders.remove(caller, ref, id)),
  implement(api.move, (input, caller) => folders.move(caller, input)),
]

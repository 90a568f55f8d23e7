import type { ProjectConnection } from '#contract/internal'
import { internal } from '#contract/internal-api'
import { projects as api, type ProjectSettings } from '#contract/projects/projects'
import { implement, implementOpen, implementRaw, type Caller } from '#kit/http'
import type { Changes } from './changes.ts'
import type { Projects } from './projects.ts'

type Parts = {
  projects: Projects
  settings: (caller: Caller, ref: string) => Promise<ProjectSettings>
  connection: (ref: string) => Promise<ProjectConnection>
  changes: Changes
}

export const projectRoutes = ({ projects, settings, connection, changes }: Parts) => [
  implement(api.list, (input, caller) => projects.list(caller, input)),
  implement(api.create, (input, caller, origin) => projects.create(caller, input, origin)),
  implement(api.detail, ({ ref }) => projects.get(ref)),
  implement(api.update, ({ ref, name }, caller, origin) =>
    projects.rename(caller, ref, name, origin),
  ),
  implement(api.remove, ({ ref }, caller, origin) => projects.remove(caller, ref, origin)),
  implement(api.status, ({ ref }) => projects.status(ref)),
  implement(api.pause, ({ ref }, caller, origin) => projects.pause(caller, ref, origin)),
  implement(api.restore, ({ ref }, caller, origin) => projects.restore(caller, ref, origin)),
  implement(api.restart, ({ ref }, caller, origin) => projects.restart(caller, ref, origin)),
  implement(api.settings, ({ ref }, caller) => settings(caller, ref)),
  implementOpen(internal.project, ({ ref }) => connection(ref)),
  implementRaw(internal.changes, async (_input, _caller, { reply }) =>
    reply.type('application/x-ndjson').send(changes.stream()),
  ),
]

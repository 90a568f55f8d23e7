import { databaseObjects } from '#contract/database/database-objects'
import type { Extension } from '#contract/database/database-object-shapes'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import type { ExtensionRow } from './extension-rows.ts'

/** Why an extension cannot be enabled or disabled by the reader; undefined when it can. */
export function useExtensionReasons(projectRef: string) {
  const why = useDenials(useProject(projectRef))
  const denied = why(databaseObjects.createExtension)
  return {
    enable: ({ state }: ExtensionRow) => denied ?? unavailable(state),
    disable: ({ may_change, name }: Extension) =>
      denied ??
      (may_change ? undefined : `${name} came with the server: only its operator can remove it`),
  }
}
export type ExtensionReasons = ReturnType<typeof useExtensionReasons>

function unavailable(state: ExtensionRow['state']): string | undefined {
  switch (state) {
    case 'operator':
      return 'It reaches beyond this database, so only the server operator can enable it'
    case 'absent':
      return 'This server does not have it installed'
    case 'available':
    case 'enabled':
      return undefined
  }
}

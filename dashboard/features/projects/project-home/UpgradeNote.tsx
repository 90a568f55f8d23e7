import type { Project } from '#contract/projects/projects'
import { Alert } from '../../../ui/Alert.tsx'
import { Ago } from '../../../ui/text/Ago.tsx'

/** For a project that goes on as an earlier version made it, because it could not be upgraded. */
export function UpgradeNote({ failure }: { failure: Project['upgrade_failure'] }) {
  if (!failure) return null
  return (
    <Alert variant="warning" title="The last upgrade of this project failed">
      {failure.reason}. The project works as before, without what the new version adds. Its upgrade
      was last tried <Ago at={failure.at} /> and is tried again each time the project restarts. If
      an object of yours is in the way, rename or drop it first.
    </Alert>
  )
}

import { Link } from '@tanstack/react-router'
import { aiOptInLevel, type AiOptInLevel } from '#contract/organizations/ai-opt-in'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { useAssistant } from './use-assistant.ts'

const seen: Record<AiOptInLevel, string> = {
  disabled: 'The model sees nothing of this database except what you write.',
  schema: 'The model sees the names of tables and columns.',
  schema_and_log: 'The model sees tables, columns, and errors of queries that you run here.',
  schema_and_log_and_data:
    'The model sees tables, columns, and results of queries that you run here.',
}

/** What the organization shows the model, and where to change it. */
export function SeenNote() {
  const { ref } = useAssistant()
  const { organizationSlug: slug } = useProject(ref)
  const { opt_in_tags: tags } = useOrganization(slug)
  const has = useHasRoute()
  const settings: string = `/org/${slug}/general`
  return (
    <p className="t12 muted">
      {seen[aiOptInLevel(tags)]}{' '}
      {has('/org/$slug/general') && (
        <Link className="link" to={settings}>
          Change
        </Link>
      )}
    </p>
  )
}

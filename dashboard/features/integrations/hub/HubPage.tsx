import { SearchX } from 'lucide-react'
import {
  integrations,
  kindNames,
  type Integration,
  type IntegrationKind,
} from '../../../modules/integrations/catalogue.ts'
import { useHasRoute } from '../../../session/organization/has-route.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Tabs } from '../../../ui/navigation/Tabs.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { IntegrationCard, useIntegrationStates } from './IntegrationCard.tsx'
import { works, type IntegrationState } from './integration-state.ts'
import './hub.css'

export type HubSearch = { q?: string | undefined; kind?: IntegrationKind | undefined }
type Props = { projectRef: string; search: HubSearch; onSearch: (next: HubSearch) => void }

const kinds: ('all' | IntegrationKind)[] = ['all', 'module', 'api', 'wrapper']

/** /project/{ref}/integrations: what there is, what works already first. */
export function HubPage({ projectRef, search, onSearch }: Props) {
  const { q = '', kind } = search
  const has = useHasRoute()
  const { extensions, error, retry, stateOf } = useIntegrationStates(projectRef)
  const words = q.trim().toLowerCase()
  const there = integrations.filter(({ page }) => has(`/project/$ref/${page.path}`))
  const matching = there.filter(({ name, line, extensions }) =>
    `${name} ${line} ${extensions.join(' ')}`.toLowerCase().includes(words),
  )
  const found = matching
    .filter((one) => kind === undefined || one.kind === kind)
    .map((of) => ({ of, state: stateOf(of) }))
  const isOn = ({ state }: (typeof found)[number]) => state !== undefined && works(state)
  const others = found.filter((one) => !isOn(one))
  return (
    <Page>
      <PageHead
        title="Integrations"
        help="Modules, APIs and wrappers that work on the database of this project."
        actions={
          <SearchField
            label="Find an integration"
            value={q}
            onChange={(next) => onSearch({ ...search, q: next })}
          />
        }
      />
      <Tabs
        label="Kinds"
        look="pills"
        value={kind ?? 'all'}
        onChange={(next) => onSearch({ ...search, kind: next === 'all' ? undefined : next })}
        tabs={kinds.map((id) => ({
          id,
          label: id === 'all' ? 'All' : kindNames[id],
          count: id === 'all' ? matching.length : countOf(matching, id),
        }))}
      />
      {error && <ErrorNote what="The state of the integrations" error={error} onRetry={retry} />}
      <Section title="Enabled" projectRef={projectRef} found={found.filter(isOn)} />
      <Section
        title={extensions ? 'Available' : 'All integrations'}
        projectRef={projectRef}
        found={others}
      />
      {found.length === 0 && (
        <EmptyState
          icon={SearchX}
          title="No integration found"
          action={<Button onClick={() => onSearch({})}>Show all</Button>}
        >
          {words ? `None contains “${q.trim()}”.` : 'There is none of this kind.'}
        </EmptyState>
      )}
    </Page>
  )
}

const countOf = (all: readonly Integration[], kind: IntegrationKind) =>
  all.filter((one) => one.kind === kind).length

type SectionProps = {
  title: string
  projectRef: string
  found: readonly { of: Integration; state: IntegrationState | undefined }[]
}

function Section({ title, projectRef, found }: SectionProps) {
  if (found.length === 0) return null
  return (
    <section className="integration-section">
      <h2>{title}</h2>
      <ul className="integration-cards">
        {found.map(({ of, state }) => (
          <IntegrationCard key={of.id} projectRef={projectRef} of={of} state={state} />
        ))}
      </ul>
    </section>
  )
}

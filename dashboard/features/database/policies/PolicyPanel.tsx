import { useState, type ReactNode } from 'react'
import { databasePolicies, type GuardedTable } from '#contract/database/database-policies'
import type { Change } from '#contract/ddl/change'
import { changePolicy, createPolicy } from '#contract/ddl/policies'
import { pgMeta } from '#contract/database/pg-meta'
import type { Policy } from '#contract/database/pg-meta-shapes'
import { callDatabase } from '../../../session/project/database.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { policyProtection } from '../../../modules/objects/protected-schemas.ts'
import { ReviewChange } from '../../../modules/objects/ReviewChange.tsx'
import { useProject } from '../../../session/project/project.ts'
import { panelVerb } from '../../../modules/objects/ObjectForm.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import {
  draftOf,
  newPolicy,
  policyTemplates,
  problemsOf,
  specOf,
  type PolicyTemplate,
} from './policy-draft.ts'
import { PolicyFields } from './PolicyFields.tsx'
import { channelTemplates, isOfChannels } from './service-templates.ts'

export type PolicyPanelProps = {
  projectRef: string
  table: GuardedTable
  found?: Policy
  /** Beginnings other than those for any table. */
  templates?: PolicyTemplate[]
  onClose: () => void
}
const templatesFor = (table: GuardedTable) =>
  isOfChannels(table) ? channelTemplates : policyTemplates(table)

type Wrong = { definition?: string; check?: string }

/** Makes a policy, or changes one. Its expressions are looked at by the parser and the planner before anything is shown. */
export function PolicyPanel({ projectRef, table, found, templates, onClose }: PolicyPanelProps) {
  const { schema, name, policies } = table
  const [draft, setDraft] = useState(() => (found ? draftOf(found) : newPolicy(schema, name)))
  const [tried, setTried] = useState(false)
  const [wrong, setWrong] = useState<Wrong>({})
  const [failed, setFailed] = useState<string>()
  const [checking, setChecking] = useState(false)
  const [review, setReview] = useState<Change>()
  const locked =
    useDenials(useProject(projectRef))(databasePolicies.create) ?? policyProtection(schema, name)
  const taken = policies.map((one) => one.name).filter((one) => one !== found?.name)
  const problems = problemsOf(draft, taken)
  const spec = specOf(draft)
  const change = found ? changePolicy(found, spec) : createPolicy(spec)

  async function problemOf(expression: string | null): Promise<string | undefined> {
    if (expression === null) return undefined
    const input = { ref: projectRef, schema, table: name, expression }
    const { problem } = await callDatabase(databasePolicies.check, input)
    if (!problem) return undefined
    return problem.position ? `${problem.message} (character ${problem.position})` : problem.message
  }

  async function submit() {
    setTried(true)
    setWrong({})
    setFailed(undefined)
    if (Object.keys(problems).length > 0) return
    setChecking(true)
    try {
      const definition = await problemOf(spec.definition)
      const check = await problemOf(spec.check)
      setWrong({ ...(definition ? { definition } : {}), ...(check ? { check } : {}) })
      if (!definition && !check) setReview(change)
    } catch (error) {
      setFailed(error instanceof Error ? error.message : String(error))
    } finally {
      setChecking(false)
    }
  }

  const verb = panelVerb('policy', found !== undefined)
  return (
    <FormPanel
      title={policyTitle(!found, name)}
      size={found ? 'xlarge' : 'xxxlarge'}
      verb="Review SQL"
      disabled={!change}
      reason={locked}
      pending={checking}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className={found ? undefined : 'policy-make'}>
        {!found && (
          <TemplateList
            templates={templates ?? templatesFor(table)}
            onChoose={(fill) => {
              setTried(false)
              setWrong({})
              setDraft({ ...newPolicy(schema, name), ...fill })
            }}
          />
        )}
        <PolicyFields
          projectRef={projectRef}
          tableId={table.id}
          draft={draft}
          problems={{ ...(tried ? problems : {}), ...wrong }}
          error={failed}
          onDraft={(next) => {
            setDraft(next)
            setWrong({})
          }}
        />
      </div>
      <ReviewChange
        projectRef={projectRef}
        change={review}
        title={verb}
        verb={verb}
        onClose={() => setReview(undefined)}
        changes={[databasePolicies.tables, pgMeta.entity]}
        onDone={() => {
          toast.success(`${spec.name} is ${found ? 'changed' : 'created'}`)
          onClose()
        }}
      />
    </FormPanel>
  )
}

type TemplateProps = {
  templates: readonly PolicyTemplate[]
  onChoose: (fill: PolicyTemplate['fill']) => void
}

/** Beginnings for a new policy. */
function TemplateList({ templates, onChoose }: TemplateProps) {
  return (
    <section className="policy-templates" aria-label="Templates">
      <h3 className="section-title">Start from a template</h3>
      <ul>
        {templates.map(({ id, title, help, fill }) => (
          <li key={id}>
            <button type="button" onClick={() => onChoose(fill)}>
              <span>
                {title} <span className="faint mono t12">{fill.command}</span>
              </span>
              <span className="choice-help">{help}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The title of the panel of a policy, of its form as of its SQL. */
export const policyTitle = (isNew: boolean, table: string): ReactNode => (
  <>
    {isNew ? 'New policy of ' : 'Policy of '}
    <span className="mono">{table}</span>
  </>
)

import type { GuardedTable } from '#contract/database-policies'
import { policyTemplates, type PolicyTemplate } from './policy-templates.ts'
import { channelTemplates, isOfChannels } from './channel-templates.ts'

type Props = { table: GuardedTable; onChoose: (fill: PolicyTemplate['fill']) => void }

/** Beginnings for a new policy. */
export function TemplateList({ table, onChoose }: Props) {
  return (
    <section className="policy-templates" aria-label="Templates">
      <h3 className="section-title">Start from a template</h3>
      <ul>
        {(isOfChannels(table) ? channelTemplates : policyTemplates(table)).map(
          ({ id, title, help, fill }) => (
            <li key={id}>
              <button type="button" onClick={() => onChoose(fill)}>
                <span>
                  {title} <span className="faint mono t12">{fill.command}</span>
                </span>
                <span className="choice-help">{help}</span>
              </button>
            </li>
          ),
        )}
      </ul>
    </section>
  )
}

import type { PolicyTemplate } from './policy-templates.ts'

type Props = {
  templates: readonly PolicyTemplate[]
  onChoose: (fill: PolicyTemplate['fill']) => void
}

/** Beginnings for a new policy. */
export function TemplateList({ templates, onChoose }: Props) {
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

import ReactMarkdown, { type Components } from 'react-markdown'

/** A value may come from anybody: HTML stays text, images are not loaded, and links show where they lead without leading there. */
const components: Components = {
  a: ({ href, children }) => (
    <span>
      {children} <span className="mono muted">({href})</span>
    </span>
  ),
  img: ({ alt }) => <span className="muted">[Image{alt ? `: ${alt}` : ''}, not loaded]</span>,
}

export const MarkdownText = ({ text }: { text: string }) => (
  <div className="markdown-text">
    <ReactMarkdown components={components}>{text}</ReactMarkdown>
  </div>
)

import { open } from './.shot.mjs'
import { writeFileSync } from 'node:fs'
const [out, w, cols, ...names] = process.argv.slice(2)
writeFileSync('/tmp/shots/sheet.html', `<body style="margin:0;display:grid;gap:6px;background:#888;grid-template-columns:repeat(${cols},${w}px)">`+names.map(n=>`<img width=${w} src="${n}.png">`).join(''))
const b=await open(); const p=await b.newPage({viewport:{width:w*cols+6*(cols-1),height:600}}); await p.goto('file:///tmp/shots/sheet.html'); await p.waitForTimeout(300); await p.screenshot({path:`/tmp/shots/${out}.png`,fullPage:true}); await b.close()

import { open } from './.shot.mjs'
const b = await open(); const p = await b.newPage({viewport:{width:390,height:844}})
await p.goto('http://127.0.0.1:5199/__ui'); await p.waitForTimeout(800)
console.log(await p.evaluate(()=>[...document.querySelectorAll('*')].filter(e=>e.getBoundingClientRect().right>391 && !e.closest('.matrix')).map(e=>e.tagName+'.'+e.className+' '+Math.round(e.getBoundingClientRect().right)).slice(0,20)))
await b.close()

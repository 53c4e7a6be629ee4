import { describeRulesNews, type RulesNews } from '@proffer/steward';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** Reports whether a rules file was loaded. */
export function printRulesNews(news: RulesNews, { style, tell }: Shell): void {
  const [first = '', ...more] = describeRulesNews(news).map(visible);
  const mark = news.type === 'invalid' ? style.red('✗') : style.green('✓');
  tell(`${mark} ${first}`, ...more);
}

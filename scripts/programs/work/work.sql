-- Work for sqlite3: fills two tables, indexes one, joins, groups, sorts, updates and deletes.
CREATE TABLE item(id INTEGER PRIMARY KEY, name TEXT, price INTEGER, maker INTEGER);
CREATE TABLE sale(id INTEGER PRIMARY KEY, item INTEGER, day INTEGER, number INTEGER);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
INSERT INTO item SELECT i, 'item ' || (i * 7919 % 1000), i * 7907 % 1009, i * 31 % 23 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
INSERT INTO sale SELECT i, 1 + i * 7919 % 1000, i * 104729 % 365, 1 + i % 9 FROM n;
CREATE INDEX by_item ON sale(item);
SELECT maker, count(*), sum(price * number) FROM sale JOIN item ON item.id = sale.item GROUP BY maker ORDER BY 3 DESC;
SELECT name, max(day) FROM item JOIN sale ON sale.item = item.id WHERE price > 900 GROUP BY name ORDER BY name LIMIT 20;
UPDATE item SET price = price + 1 WHERE name LIKE '%7%';
DELETE FROM sale WHERE day % 7 = 3;
SELECT day, sum(number) FROM sale GROUP BY day ORDER BY 2 DESC, 1 LIMIT 10;
SELECT count(*), sum(number), total(price) FROM sale, item WHERE sale.item = item.id AND item.name < 'item 5';
PRAGMA integrity_check;

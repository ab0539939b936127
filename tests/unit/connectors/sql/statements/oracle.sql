-- list
SELECT customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= :param_1 AND (customer."Full name" LIKE :Full_name_1 ESCAPE '!' OR customer.met < :param_2) AND (customer.id NOT IN (:param_3, :param_4)) ORDER BY CASE WHEN (customer.credit IS NULL) THEN :param_5 ELSE :param_6 END, customer.credit DESC, customer.id ASC
 FETCH FIRST 26 ROWS ONLY
parameters: {"param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01 00:00:00", "param_3": 1, "param_4": 2, "param_5": 1, "param_6": 0}

-- next page
SELECT customer.credit AS c0, customer.id AS c1 
FROM customer 
WHERE customer.credit >= :param_1 AND (customer."Full name" LIKE :Full_name_1 ESCAPE '!' OR customer.met < :param_2) AND (customer.id NOT IN (:param_3, :param_4)) AND (customer.credit < :param_5 OR customer.credit IS NULL OR customer.credit = :param_6 AND customer.id > :param_7) ORDER BY CASE WHEN (customer.credit IS NULL) THEN :param_8 ELSE :param_9 END, customer.credit DESC, customer.id ASC
 FETCH FIRST 26 ROWS ONLY
parameters: {"param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01 00:00:00", "param_3": 1, "param_4": 2, "param_5": "12.30", "param_6": "12.30", "param_7": 7, "param_8": 1, "param_9": 0}

-- get
SELECT customer."Full name", customer.id 
FROM customer 
WHERE customer.id = :param_1
parameters: {"param_1": 7}

-- create
INSERT INTO customer ("Full name", credit, met) VALUES (:"Full name", :credit, :met)
parameters: {"\"Full name\"": "x", "credit": "12.30", "met": "2026-01-01 00:00:00"}

-- update
UPDATE customer SET "Full name"=:"Full name", credit=:credit, met=:met WHERE customer.id = :param_1
parameters: {"\"Full name\"": "x", "credit": "12.30", "met": "2026-01-01 00:00:00", "param_1": 7}

-- update where
UPDATE customer SET credit=:credit WHERE customer.credit >= :param_1 AND (customer."Full name" LIKE :Full_name_1 ESCAPE '!' OR customer.met < :param_2) AND (customer.id NOT IN (:param_3, :param_4))
parameters: {"credit": null, "param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01 00:00:00", "param_3": 1, "param_4": 2}

-- delete
DELETE FROM customer WHERE customer.id = :param_1
parameters: {"param_1": 7}

-- delete where
DELETE FROM customer WHERE customer.credit >= :param_1 AND (customer."Full name" LIKE :Full_name_1 ESCAPE '!' OR customer.met < :param_2) AND (customer.id NOT IN (:param_3, :param_4))
parameters: {"param_1": 10, "Full_name_1": "50!%[a]_!!%", "param_2": "2026-01-01 00:00:00", "param_3": 1, "param_4": 2}

